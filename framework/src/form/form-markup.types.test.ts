import assert from 'node:assert/strict';
import test from 'node:test';
import { blankForm, defineForm, errorsOf, type Validation } from './define-form.ts';
import { textField } from './fields.ts';
import { errorSummary, formField } from './form-markup.ts';

// Each line that must not compile says so, and the test shows what would have happened had it run.

const itemForm = defineForm({
  name: textField({ label: 'Name', maxLength: 120 }),
  place: textField({ label: 'Place', maxLength: 120 }),
});
const form = blankForm(itemForm);

test('a view that names a field the form has not does not compile', () => {
  assert.match(formField(form, 'place', []).markup, /id="place"/);
  // @ts-expect-error the form has no field "colour"
  assert.throws(() => formField(form, 'colour', []), TypeError);
});

test('text that may name any field does not compile', () => {
  const name: string = 'name';
  // @ts-expect-error it is not known to be a field
  assert.match(formField(form, name, []).markup, /id="name"/);
});

test('the text of a field that the form has not does not compile', () => {
  assert.equal(form.text.place, '');
  // @ts-expect-error the form has no field "colour"
  assert.equal(form.text.colour, undefined);
  // @ts-expect-error the form has no field "colour"
  assert.equal(blankForm(itemForm, { colour: 'red' }).text.name, '');
});

test('an error on a field that the form has not does not compile', () => {
  const refused: Validation<typeof itemForm.fields> = {
    valid: false,
    // @ts-expect-error the form has no field "colour"
    errors: [{ field: 'colour', message: 'Choose a colour' }],
  };
  assert.match(errorSummary(errorsOf(refused))?.markup ?? '', /#colour/);
});
