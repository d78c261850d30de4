/** The kinds of fields of a form. `fileField` is in `seeother/upload`. */
export { buttonField } from './src/form/button-field.ts';
export { choiceField } from './src/form/choice-field.ts';
export {
  checkboxField,
  hiddenField,
  listField,
  passwordField,
  textField,
  wholeNumberField,
} from './src/form/fields.ts';
export { schemaField } from './src/form/schema-field.ts';
