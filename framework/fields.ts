/** The kinds of fields of a form, and fields within fields. */
export { writeAttributes } from './src/form/attributes.ts';
export { buttonField } from './src/form/button-field.ts';
export { choiceField, choicesField } from './src/form/choice-field.ts';
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
} from './src/form/date-fields.ts';
export {
  defineField,
  type Field,
  type FieldOptions,
  ok,
  problem,
} from './src/form/field.ts';
export { choiceGroup, group, rows } from './src/form/field-set.ts';
export {
  checkboxField,
  hiddenField,
  listField,
  passwordField,
  textField,
  wholeNumberField,
} from './src/form/fields.ts';
export {
  type Decimal,
  decimalField,
  type Money,
  moneyField,
  rangeField,
} from './src/form/number-fields.ts';
export { schemaField } from './src/form/schema-field.ts';
export {
  type Colour,
  colourField,
  emailField,
  searchField,
  telephoneField,
  urlField,
} from './src/form/text-fields.ts';
export { fileField } from './src/upload/file-field.ts';
