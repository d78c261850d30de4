/** The kinds of fields of a form, and fields within fields. */
export { writeAttributes } from './src/field/attributes.ts';
export { buttonField } from './src/field/button-field.ts';
export { choiceField, choicesField } from './src/field/choice-field.ts';
export {
  dateField,
  dateTimeField,
  durationField,
  type Instant,
  monthField,
  type PlainDate,
  type PlainDateTime,
  type PlainMonth,
  type PlainTime,
  timeField,
  type ZonedTime,
} from './src/field/date-fields.ts';
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
export {
  type Decimal,
  decimalField,
  type Money,
  moneyField,
  rangeField,
} from './src/field/number-fields.ts';
export { schemaField } from './src/field/schema-field.ts';
export {
  type Colour,
  colourField,
  emailField,
  searchField,
  telephoneField,
  urlField,
} from './src/field/text-fields.ts';
export { choiceGroup, group, rows } from './src/form/field-set.ts';
export { fileField } from './src/upload/file-field.ts';
