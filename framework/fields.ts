/** The kinds of fields of a form, and fields within fields. */
export { writeAttributes } from './src/field/attributes.ts';
export { buttonField } from './src/field/button-field.ts';
export { choiceField, choicesField } from './src/field/choice-field.ts';
export { dateField, monthField } from './src/field/date-field.ts';
export {
  dateTimeField,
  type Instant,
  type PlainDateTime,
  type ZonedTime,
} from './src/field/date-time-field.ts';
export { durationField } from './src/field/duration-field.ts';
export {
  defineField,
  type Field,
  type FieldOptions,
  ok,
  problem,
} from './src/field/field.ts';
export {
  checkboxField,
  hiddenField,
  listField,
  passwordField,
  textField,
  wholeNumberField,
} from './src/field/fields.ts';
export { type Money, moneyField } from './src/field/money-field.ts';
export { type Decimal, decimalField, rangeField } from './src/field/number-fields.ts';
export { schemaField } from './src/field/schema-field.ts';
export {
  type Color,
  colorField,
  emailField,
  searchField,
  telephoneField,
  urlField,
} from './src/field/text-fields.ts';
export { ticksField } from './src/field/ticks-field.ts';
export { timeField } from './src/field/time-field.ts';
export { choiceGroup, fieldGroup, rows } from './src/form/field-set.ts';
export type { PlainDate, PlainMonth, PlainTime } from './src/language/plain-date.ts';
export { fileField, filesField } from './src/upload/file-field.ts';
