import assert from 'node:assert/strict';
import test from 'node:test';
import { textField } from '../field/fields.ts';
import { blankForm, defineForm, errorsOf, type Validation } from './define-form.ts';
import { errorSummary, formField } from './form-markup.ts';

// Lines that must not compile have @ts-expect-error. The tests show what they do at run time.

const itemForm = defineForm({
  name: textField({ label: 'Name', maxLength: 120 }),
  place: textField({ label: 'Place', maxLength: 120 }),
});
const form = blankForm(itemForm);

test('a view that names a field that is not in the form does not compile', () => {
  assert.match(formField(form, 'place').markup, /id="place"/);
  // @ts-expect-error the form has no field "colour"
  assert.throws(() => formField(form, 'colour'), /^TypeError: .* the form has name, place/);
});

test('the name of a field must be known to the compiler', () => {
  const name: string = 'name';
  // @ts-expect-error it is not known to be a field
  assert.match(formField(form, name).markup, /id="name"/);
});

test('the text of a field that is not in the form does not compile', () => {
  assert.equal(form.text.place, '');
  // @ts-expect-error the form has no field "colour"
  assert.equal(form.text.colour, undefined);
  // @ts-expect-error the form has no field "colour"
  assert.equal(blankForm(itemForm, { colour: 'red' }).text.name, '');
});

test('an error of a field that is not in the form does not compile', () => {
  const refused: Validation<typeof itemForm.fields> = {
    valid: false,
    // @ts-expect-error the form has no field "colour"
    errors: [{ field: 'colour', message: 'Choose a colour' }],
  };
  assert.match(errorSummary({ errors: errorsOf(refused) })?.markup ?? '', /#colour/);
});
