/** Reading a form takes linear time in the length of its body, whatever the body contains. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { empty } from '../http/response.ts';
import { createRouter } from '../router/router.ts';
import { costRatio } from '../testing/cost-ratio.ts';
import { post } from '../testing/make-request.ts';
import { defineForm } from './define-form.ts';
import { listField, textField } from './fields.ts';
import { readForm } from './read-form.ts';

const form = defineForm({
  name: textField({ label: 'Name', maxLength: 120 }),
  tags: listField({ label: 'Tags', entry: 'Tag', maxEntryLength: 40, maxEntries: 20 }),
});

/** Reads the body; resolves to the status of the answer, 400 if it has too many fields. */
async function read(body: string): Promise<number> {
  const router = createRouter().post('/', readForm(form, { limit: 9_000_000 }), () => empty());
  return Promise.resolve(router.handle(post('/', body))).then(
    ({ status }) => status,
    ({ status }) => status,
  );
}

const SIZE = 65_536;
const BODIES: Readonly<Record<string, (size: number) => string>> = {
  'empty fields': (size) => 'a=&'.repeat(size / 3),
  ampersands: (size) => '&'.repeat(size),
  'equals signs': (size) => '='.repeat(size),
  'one long name': (size) => 'k'.repeat(size),
  'an escaped name': (size) => `${'%61'.repeat(size / 3)}=`,
  'percent signs': (size) => `name=${'%'.repeat(size)}`,
  'not UTF-8': (size) => `name=${'%ff'.repeat(size / 3)}`,
  commas: (size) => `tags=${','.repeat(size)}`,
  'white space': (size) => `name=x${'+'.repeat(size)}x`,
  'line ends': (size) => `name=${'%0d'.repeat(size / 3)}`,
  marks: (size) => `name=x${'%cc%81'.repeat(size / 6)}`,
};

for (const [name, make] of Object.entries(BODIES))
  test(`the cost is linear for ${name}`, async () => {
    const [small, large] = [make(SIZE), make(16 * SIZE)];
    // 16 for linear time, 256 for quadratic time.
    const ratio = await costRatio(
      80,
      0.1,
      () => read(small),
      () => read(large),
    );
    assert.ok(ratio < 80, `${ratio} times as much`);
  });

test('many pluses cost about as much as other text', async () => {
  const body = (piece: string) => `name=${piece.repeat(1_000_000)}`;
  const [plain, pluses] = [body('x'), body('+')];
  const ratio = await costRatio(
    20,
    0.2,
    () => read(plain),
    () => read(pluses),
  );
  assert.ok(ratio < 20, `${ratio} times as much`);
});

test('200 field names that collide in a hash table cost no more than other names', async () => {
  const body = (name: (index: number) => number | string) =>
    Array.from({ length: 200 }, (_, index) => `${name(index)}=`).join('&');
  const benign = body((index) => `field${index}`);
  const names = {
    'like an index': (index: number) => index,
    'with equal low bits': (index: number) => index * 65_536,
    'near the largest index': (index: number) => 4_294_967_294 - index,
  };
  for (const [kind, name] of Object.entries(names)) {
    const hostile = body(name);
    assert.equal(await read(hostile), 204, kind);
    const ratio = await costRatio(
      10,
      0.05,
      () => read(benign),
      () => read(hostile),
    );
    assert.ok(ratio < 10, `${kind}: ${ratio} times as much`);
  }
});
