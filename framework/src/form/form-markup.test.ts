import assert from 'node:assert/strict';
import test from 'node:test';
import { choiceField } from '../field/choice-field.ts';
import { defineField, type FieldOptions, ok } from '../field/field.ts';
import {
  checkboxField,
  hiddenField,
  passwordField,
  textField,
  wholeNumberField,
} from '../field/fields.ts';
import { english } from '../language/english.ts';
import { blankForm, defineForm, type FormError } from './define-form.ts';
import { rows } from './field-set.ts';
import { errorSummary, formField, formTitle, onceField } from './form-markup.ts';
import { fillSent } from './read-form.ts';

const colours = [
  { value: 'red', label: 'Red' },
  { value: 'blue', label: 'Blue & white' },
] as const;

const form = defineForm({
  name: textField({
    label: 'Name',
    required: 'Enter a name',
    maxLength: 120,
    hint: 'As on the "box"',
  }),
  note: textField({ label: 'Note', maxLength: 999, multiline: true }),
  quantity: wholeNumberField({ label: 'Quantity', min: 0, max: 9, default: 1 }),
  colour: choiceField({ label: 'Colour', choices: colours }),
  size: choiceField({ label: 'Size', choices: colours, required: 'Choose a size', hint: 'Any' }),
  password: passwordField({ label: 'Password', required: 'Enter it', minLength: 1, maxLength: 9 }),
  stay: checkboxField({ label: 'Stay', hint: 'Not on a shared computer' }),
  next: hiddenField(),
});

type Name = (typeof form.names)[number];
type Text = Readonly<Partial<Record<Name, string>>>;

function draw(name: Name, text: Text = {}, errors: readonly FormError<typeof form.fields>[] = []) {
  return formField({ ...blankForm(form, text), errors }, name).markup;
}

/** Only the control, which is the last element of the field. */
function drawControl(name: Name, text: Text = {}): string {
  return /\n(<(?:input|textarea|select)[\s\S]*)\n<\/div>$/.exec(draw(name, text))?.[1] ?? '';
}

function drawText(options: Partial<FieldOptions>): string {
  const odd = defineForm({
    odd: textField({ label: 'Odd', required: 'x', maxLength: 9, ...options }),
  });
  return formField(blankForm(odd, { odd: 'typed' }), 'odd').markup;
}

test('a name of several words is the name and the id of its control, and what its error leads to', () => {
  const people = defineForm({ firstName: textField({ label: 'First name', maxLength: 9 }) });
  const errors = [{ field: 'firstName', message: 'Too long' }] as const;
  const filled = { ...blankForm(people), errors };
  const markup = formField(filled, 'firstName').markup;
  assert.match(markup, /<label for="firstName">[\s\S]*<input [^>]*id="firstName" name="firstName"/);
  assert.match(markup, /id="firstName-error"[\s\S]*aria-describedby="firstName-error"/);
  assert.match(errorSummary(filled)?.markup ?? '', /<a href="#firstName">/);
});

test('a field is its label, its hint and its control, in this order', () => {
  assert.equal(
    draw('name', { name: 'Chair' }),
    `<div class="field">
<label for="name">Name</label>
<p class="hint" id="name-hint">As on the &quot;box&quot;</p>
<input type="text" id="name" name="name" value="Chair" aria-describedby="name-hint">
</div>`,
  );
});

test('an error is between hint and control, and both describe the control, the hint first', () => {
  assert.equal(
    draw('name', {}, [
      { field: null, message: 'Something else' },
      { field: 'name', message: 'Enter a <name>' },
    ]),
    `<div class="field has-error">
<label for="name">Name</label>
<p class="hint" id="name-hint">As on the &quot;box&quot;</p>
<p class="field-error" id="name-error"><span class="visually-hidden">Error:</span> Enter a &lt;name&gt;</p>
<input type="text" id="name" name="name" value="" aria-describedby="name-hint name-error" aria-invalid="true">
</div>`,
  );
});

test('an error without a hint describes the control, and no other field', () => {
  const errors = [{ field: 'note', message: 'Too long' }] as const;
  assert.match(
    draw('note', {}, errors),
    /<textarea id="note" name="note" rows="6" aria-describedby="note-error" aria-invalid="true">/,
  );
  assert.doesNotMatch(draw('quantity', {}, errors), /aria-|error/);
});

test('an optional field is marked', () => {
  const mark = ' <span class="optional">(optional)</span></label>';
  assert.ok(draw('note').includes(`<label for="note">Note${mark}`));
  assert.ok(draw('colour').includes(`<label for="colour">Colour${mark}`));
  assert.ok(!draw('name').includes('optional'));
  assert.ok(!draw('stay').includes('optional'));
});

test('a text area keeps an empty first line, and its text cannot end it', () => {
  assert.equal(
    drawControl('note', { note: '\n</textarea><b>' }),
    '<textarea id="note" name="note" rows="6">\n\n&lt;/textarea&gt;&lt;b&gt;</textarea>',
  );
});

test('the control has the attributes of the definition', () => {
  assert.equal(
    drawControl('quantity', { quantity: '"3"' }),
    '<input type="text" id="quantity" name="quantity" value="&quot;3&quot;" inputmode="numeric">',
  );
});

test('the definition of a text can set its type and rows, which are written once', () => {
  assert.match(
    drawText({ attributes: { autocomplete: 'email', type: 'email' } }),
    /\n<input type="email" id="odd" name="odd" value="typed" autocomplete="email">\n/,
  );
  const long = defineForm({
    odd: textField({ label: 'Odd', maxLength: 9, multiline: true, attributes: { rows: '2' } }),
  });
  assert.match(
    formField(blankForm(long), 'odd').markup,
    /\n<textarea id="odd" name="odd" rows="2">\n/,
  );
});

test('the definition cannot set the id, name or value, or remove the error', () => {
  const attributes = { id: 'a', name: 'b', value: 'c', 'aria-describedby': 'd' };
  const hint = 'Help';
  assert.match(
    drawText({ attributes, hint }),
    /\n<input type="text" id="odd" name="odd" value="typed" aria-describedby="odd-hint">\n/,
  );
});

test('a password is never shown again', () => {
  assert.equal(
    drawControl('password', { password: 'correct horse' }),
    '<input type="password" id="password" name="password">',
  );
  const told = passwordField({
    label: 'Password',
    required: 'x',
    minLength: 1,
    maxLength: 9,
    attributes: { type: 'text', value: 'x', autocomplete: 'new-password' },
  });
  assert.match(
    formField(blankForm(defineForm({ told }), { told: 'secret' }), 'told').markup,
    /\n<input type="password" id="told" name="told" autocomplete="new-password">\n/,
  );
});

test('the name of a control decides nothing: a kind of its own says what is secret', () => {
  for (const control of ['button', 'file', 'password', 'hidden', 'checkbox']) {
    const kind = { control, parse: (typed: string) => ok(typed) };
    const own = defineForm({ pin: defineField({ label: 'PIN' }, kind) });
    assert.match(formField(blankForm(own, { pin: '1234' }), 'pin').markup, /value="1234"/, control);
    const secret = defineForm({ pin: defineField({ label: 'PIN' }, { ...kind, isSecret: true }) });
    const sent = [{ name: 'pin', text: '1234', flaw: null }];
    const again = fillSent(secret, sent, english);
    assert.doesNotMatch(formField(again, 'pin').markup + JSON.stringify(again), /1234/, control);
  }
});

test('a layout of its own goes through the parts of a form', () => {
  const errors = [{ field: 'name', message: 'Enter a name' }] as const;
  const people = defineForm({
    name: textField({ label: 'Name', maxLength: 9 }),
    guests: rows({
      label: 'Guests',
      name: 'Guest',
      fields: { age: textField({ label: 'Age', maxLength: 9 }) },
      max: 3,
    }),
  });
  const filled = { ...blankForm(people, { guests: [{ age: '3' }, {}] }), errors };
  const told = [...filled].map(({ path, label, error }) => ({ path, label, error }));
  assert.deepEqual(told, [
    { path: 'name', label: 'Name', error: 'Enter a name' },
    { path: 'guests', label: 'Guests', error: null },
  ]);
  const [, guests] = filled;
  const second = guests?.parts[1];
  assert.deepEqual(
    second?.parts[0]?.owners.map(({ label }) => label),
    ['Guests', 'Guest 2'],
  );
  for (const part of filled)
    assert.equal(formField(filled, part).markup, formField(filled, part.path as 'name').markup);
});

test('a checkbox is before its label, and stays ticked', () => {
  assert.equal(
    draw('stay', { stay: 'on' }, [{ field: 'stay', message: 'No' }]),
    `<div class="field checkbox has-error">
<input type="checkbox" id="stay" name="stay" checked aria-describedby="stay-hint stay-error" aria-invalid="true">
<label for="stay">Stay</label>
<p class="hint" id="stay-hint">Not on a shared computer</p>
<p class="field-error" id="stay-error"><span class="visually-hidden">Error:</span> No</p>
</div>`,
  );
  assert.match(draw('stay'), /<input type="checkbox" id="stay" name="stay" aria-describedby=/);
});

test('a hidden field is only an input without a label', () => {
  assert.equal(
    draw('next', { next: '/a?b="' }, [{ field: 'next', message: 'No' }]),
    '<input type="hidden" name="next" value="/a?b=&quot;">',
  );
});

test('a choice shows the label of each value, and starts empty', () => {
  assert.equal(
    drawControl('colour'),
    `<select id="colour" name="colour">
<option value="" selected></option>
<option value="red">Red</option>
<option value="blue">Blue &amp; white</option>
</select>`,
  );
  assert.match(
    draw('size'),
    /<select id="size" name="size" aria-describedby="size-hint">\n<option value="" selected>/,
  );
});

test('the chosen value is selected again, and the empty option is left out if the field is required', () => {
  assert.match(
    drawControl('colour', { colour: 'blue' }),
    /<option value=""><\/option>\n<option value="red">Red<\/option>\n<option value="blue" selected>/,
  );
  const size = drawControl('size', { size: 'blue' });
  assert.match(size, /<option value="blue" selected>/);
  assert.doesNotMatch(size, /value=""/);
});

test('a chosen value that is no choice any more stays chosen, and is shown as gone', () => {
  assert.match(
    drawControl('size', { size: '<b>' }),
    /<option value="&lt;b&gt;" selected>No longer available<\/option>\n<\/select>/,
  );
  assert.equal(drawControl('size', { size: '<b>' }).split(' selected').length, 2);
});

test('the summary lists each error with a link to its field, and takes the focus without script', () => {
  assert.equal(
    errorSummary({
      errors: [
        { field: 'name', message: 'Enter a <name>' },
        { field: null, message: 'Ask for less' },
      ],
    })?.markup,
    `<div class="error-summary" role="alert" tabindex="-1" autofocus>
<h2>There is a problem</h2>
<ul>
<li><a href="#name">Enter a &lt;name&gt;</a></li>
<li>Ask for less</li>
</ul>
</div>`,
  );
});

test('without an error there is no summary, and the title is unchanged', () => {
  assert.equal(errorSummary({ errors: [] }), null);
  assert.equal(formTitle('Add an item', {}), 'Add an item');
  assert.equal(
    formTitle('Add an item', { errors: [{ field: null, message: 'Ask' }] }),
    'Error: Add an item',
  );
});

test('the key of the form is a hidden field; a form without a key has none', () => {
  const blank = blankForm(defineForm({ name: textField({ label: 'Name', maxLength: 9 }) }));
  assert.equal(
    onceField({ ...blank, once: 'aZ09_-' })?.markup,
    '<input type="hidden" name="_once" value="aZ09_-">',
  );
  assert.equal(onceField({ ...blank, once: null }), null);
});
