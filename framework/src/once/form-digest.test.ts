import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { buttonField } from '../field/button-field.ts';
import { passwordField, textField, wholeNumberField } from '../field/fields.ts';
import { defineForm, type Fields, type Form } from '../form/define-form.ts';
import { readSent } from '../form/read-form.ts';
import type { Entry } from '../http/urlencoded.ts';
import { post, type TypedFields } from '../testing/make-request.ts';
import { digestForm } from './form-digest.ts';

const text = textField({ label: 'Text', maxLength: 99 });
const older = defineForm({ name: text, place: text });
const newer = defineForm({
  button: buttonField({ buttons: [{ value: 'save', label: 'Save' }] }),
  place: text,
  minimum: wholeNumberField({ label: 'Minimum', min: 1, max: 9, default: 1 }),
  name: text,
});
const secret = defineForm({
  code: passwordField({ label: 'Code', required: 'x', minLength: 1, maxLength: 9 }),
  name: text,
});

const toEntries = (fields: TypedFields): readonly Entry[] =>
  Object.entries(fields).map(([name, value]) => ({ name, text: String(value), flaw: null }));

async function partsOf<F extends Fields>(
  definition: Form<F>,
  entries: readonly Entry[],
  sessionKey?: string | null,
) {
  const { form } = await readSent(definition, entries, post('/items'));
  return { path: '/items', form, sessionKey };
}

const digestOf = async <F extends Fields>(definition: Form<F>, entries: readonly Entry[]) =>
  digestForm(await partsOf(definition, entries));

test('a digest stays as it is, because receipts have it for 90 days', async () => {
  const sent = toEntries({ _once: 'key', place: 'Attic', name: 'Ä "chair"', minimum: '' });
  assert.equal(
    await digestOf(newer, sent),
    createHash('sha256')
      .update('["/items",[["name","Ä \\"chair\\""],["place","Attic"]]]')
      .digest('hex'),
  );
});

test('a field that is added, moved, left empty or not sent does not change the digest', async () => {
  const sent = toEntries({ name: 'Chair', place: '' });
  const digest = await digestOf(older, sent);
  assert.equal(await digestOf(newer, sent), digest);
  for (const other of [
    { name: 'Chair' },
    { place: '', name: 'Chair' },
    { name: 'Chair', minimum: '', button: '' },
  ])
    assert.equal(await digestOf(newer, toEntries(other)), digest);
});

test('a field that only one of two versions declares is part of the digest in both, in any order', async () => {
  const digests = new Set<string>();
  for (const minimum of ['1', '2']) {
    const sent = toEntries({ name: 'Chair', minimum, button: 'save' });
    for (const entries of [sent, sent.toReversed()]) {
      digests.add(await digestOf(older, entries));
      digests.add(await digestOf(newer, entries));
    }
  }
  assert.equal(digests.size, 2);
});

test('a field that no version can declare is not part of the digest, such as where an image was clicked', async () => {
  const [one, other] = await Promise.all(
    ['3', '4'].map((x) =>
      digestOf(newer, toEntries({ name: 'Chair', 'save.x': x, 'captcha-response': x })),
    ),
  );
  assert.equal(one, other);
});

test('the pressed button, a moved text and another path make another digest', async () => {
  const digests = await Promise.all(
    [
      { name: 'Chair' },
      { name: 'Chair', button: 'save' },
      { place: 'Chair' },
      { name: 'Chai', place: 'r' },
      { name: 'Chair","place","' },
    ].map((fields) => digestOf(newer, toEntries(fields))),
  );
  const parts = await partsOf(newer, toEntries({ name: 'Chair' }));
  digests.push(digestForm({ ...parts, path: '/other' }));
  digests.push(
    digestForm({ ...parts, sessionKey: 'a' }),
    digestForm({ ...parts, sessionKey: 'b' }),
  );
  assert.equal(new Set(digests).size, digests.length);
});

test('a file is its content; none chosen is as none sent', async () => {
  const toFile = (name: string, content: string): Entry => {
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { name: 'photo', text: name, flaw: null, file: { sha256 } };
  };
  const digest = (...entries: Entry[]) => digestOf(older, entries);
  assert.equal(await digest(toFile('a.png', 'x')), await digest(toFile('b.png', 'x')));
  assert.notEqual(await digest(toFile('a.png', 'x')), await digest(toFile('a.png', 'y')));
  assert.equal(await digest(toFile('', '')), await digest());
});

test('no password is part of a digest, nor an undeclared field whose name suggests one', async () => {
  const digests = await Promise.all(
    ['one', 'other'].map((code) =>
      digestOf(secret, toEntries({ code, newPassword: code, _x: code })),
    ),
  );
  assert.equal(digests[0], digests[1]);
  assert.equal(digests[0], await digestOf(secret, []));
});
