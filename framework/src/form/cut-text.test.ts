import assert from 'node:assert/strict';
import test from 'node:test';
import { choicesField } from '../field/choice-field.ts';
import { hiddenField, textField } from '../field/fields.ts';
import { cutText, lengthToFit, MAX_ECHO_LENGTH } from './cut-text.ts';
import { blankForm, defineForm, type FormError } from './define-form.ts';
import { formField } from './form-markup.ts';

test('texts that fit are not cut, and only those longer than their share are', () => {
  const long = 'x'.repeat(MAX_ECHO_LENGTH);
  assert.equal(lengthToFit([]), MAX_ECHO_LENGTH);
  assert.equal(lengthToFit([long]), MAX_ECHO_LENGTH);
  assert.equal(lengthToFit([`${long}x`]), MAX_ECHO_LENGTH);
  assert.equal(lengthToFit([long, 'abcdef']), MAX_ECHO_LENGTH - 6);
  assert.equal(lengthToFit([long, 'abcdef', long]), (MAX_ECHO_LENGTH - 6) / 2);
});

test('any number of texts fits after the cut', () => {
  for (const count of [10, 57, 200]) {
    const texts = Array.from({ length: count }, (_, index) => 'x'.repeat(index * 2_000));
    const length = lengthToFit(texts);
    const total = texts.reduce((sum, text) => sum + cutText(text, length).length, 0);
    assert.ok(total <= MAX_ECHO_LENGTH && total > MAX_ECHO_LENGTH - count, `${count}: ${total}`);
  }
});

test('a text is never cut within a character', () => {
  assert.equal(cutText('abc', 3), 'abc');
  assert.equal(cutText('abcd', 3), 'abc');
  assert.equal(cutText('ab🎉d', 3), 'ab');
  assert.equal(cutText('ab🎉d', 4), 'ab🎉');
});

const form = defineForm({
  name: textField({ label: 'Name', maxLength: 99 }),
  note: textField({ label: 'Note', maxLength: 999, multiline: true }),
  essay: textField({ label: 'Essay', maxLength: 80_000 }),
  next: hiddenField(),
});
type Text = Readonly<Partial<Record<(typeof form.names)[number], string>>>;

function draw(name: keyof Text, text: Text, errors: readonly FormError<typeof form.fields>[] = []) {
  const { markup } = formField({ ...blankForm(form, text), errors }, name);
  return markup.replaceAll(/x{9,}/g, ({ length }) => `${length} times x`);
}

const long = 'x'.repeat(70_000);

test('a field that is cut says so beside its error', () => {
  assert.equal(
    draw('note', { name: 'Chair', note: long }),
    `<div class="field has-error">
<label for="note">Note <span class="optional">(optional)</span></label>
<p class="field-error" id="note-error"><span class="visually-hidden">Error:</span> Only the first 65,531 characters are shown here</p>
<textarea id="note" name="note" rows="6" aria-describedby="note-error" aria-invalid="true">
65531 times x</textarea>
</div>`,
  );
  const error = { field: 'note', message: 'Note must be 999 characters or less' } as const;
  assert.match(
    draw('note', { note: long }, [error]),
    /<\/span> Note must be 999 characters or less\. Only the first 65,536 characters are shown here</,
  );
});

test('a text that its field accepts is never cut', () => {
  const essay = '🎉'.repeat(80_000);
  const { markup } = formField(blankForm(form, { essay, note: long }), 'essay');
  assert.ok(markup.includes(essay));
});

test('a hidden value that is too long is left out', () => {
  const most = 'x'.repeat(MAX_ECHO_LENGTH);
  assert.equal(
    draw('next', { next: most }),
    '<input type="hidden" name="next" value="65536 times x">',
  );
  assert.equal(draw('next', { next: `${most}x` }), '<input type="hidden" name="next" value="">');
});

test('values that are no choices are cut, and short texts are not', () => {
  const choices = [{ value: 'by-carrier-pigeon', label: 'Pigeon' }];
  const many = defineForm({ ways: choicesField({ label: 'Ways', choices }) });
  const ways = ['by-carrier-pigeon', ...Array<string>(7_000).fill(long)];
  const { markup } = formField(blankForm(many, { ways }), 'ways');
  assert.match(markup, /value="by-carrier-pigeon" checked/);
  assert.ok(markup.length < 4_000_000, `${markup.length} characters`);
});
