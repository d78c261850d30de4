/** Reading, writing and changing the texts of any form: nothing that was typed may get lost. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { choicesField } from '../field/choice-field.ts';
import { textField } from '../field/fields.ts';
import { english } from '../language/english.ts';
import { digestForm } from '../once/form-digest.ts';
import { bindForm } from './bound-part.ts';
import { changeText, toChange } from './change-form.ts';
import { defineForm } from './define-form.ts';
import {
  type AnySet,
  choiceGroup,
  type Fields,
  fieldGroup,
  type Part,
  rows,
  type SomeFields,
  type TextNode,
  type TextTree,
} from './field-set.ts';
import { fillSent } from './read-form.ts';
import { findField, sortEntries, textsOf, toEntries } from './sent-fields.ts';

const NAMES = ['a', 'name', 'choice', 'rows', 'constructor', 'valueOf', 'firstName', 'x1'];
const MAX = 6;

const nameArbitrary = fc.constantFrom(...NAMES);
const textArbitrary = fc
  .string({ unit: 'binary', maxLength: 8 })
  // Browsers send line ends as CRLF, which are read as LF.
  .map((text) => text.replaceAll('\r', '').toWellFormed());

/** Fields that are nested up to three deep. */
function fieldsArbitrary(depth: number): fc.Arbitrary<Fields> {
  const leaf: fc.Arbitrary<Part> = fc.constantFrom(
    textField({ label: 'Text', maxLength: 99 }),
    choicesField({ label: 'Choices', choices: [{ value: 'a', label: 'A' }] }),
  );
  const inner = depth === 0 ? null : fieldsArbitrary(depth - 1);
  const part: fc.Arbitrary<Part> =
    inner === null
      ? leaf
      : fc.oneof(
          leaf,
          inner.map((fields) => fieldGroup({ label: 'Group', fields })),
          inner.map((fields) =>
            rows({ label: 'Rows', name: 'Row', fields, max: MAX, ordered: true }),
          ),
          inner.map(({ choice: _, ...fields }) =>
            choiceGroup({
              label: 'Choice',
              choices: { one: { label: 'One' }, two: { label: 'Two', fields } },
            }),
          ),
        );
  return fc.dictionary(nameArbitrary, part, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
}

/** Texts for the fields. */
function textsArbitrary({ fields }: AnySet): fc.Arbitrary<TextTree> {
  return fc.record(
    Object.fromEntries(Object.entries(fields).map(([name, part]) => [name, textArbitraryOf(part)])),
    { noNullPrototype: true },
  );
}

function textArbitraryOf(part: Part): fc.Arbitrary<TextNode> {
  switch (part.part) {
    case 'field':
      return Array.isArray(part.default)
        ? fc.array(textArbitrary, { maxLength: 3 })
        : textArbitrary;
    case 'group':
      return textsArbitrary(part);
    case 'rows':
      return fc.array(textsArbitrary(part), { maxLength: 3 });
    case 'choices': {
      const sets = Object.entries(part.sets).map(([value, set]) => [value, textsArbitrary(set)]);
      const choice = fc.constantFrom('', 'one', 'two');
      const texts: Record<string, fc.Arbitrary<TextNode>> = Object.fromEntries(sets);
      return fc.record({ ...texts, choice }, { noNullPrototype: true });
    }
  }
}

const formArbitrary = fieldsArbitrary(3)
  .map((fields) => defineForm(fields) as unknown as SomeFields)
  .chain((form) => fc.tuple(fc.constant(form), textsArbitrary(form)));

type Entries = ReturnType<typeof toEntries>;
const write = (definition: SomeFields, text: TextTree): Entries =>
  toEntries(bindForm({ definition, text }));
const toSent = (entries: Entries) => entries.map(([name, text]) => ({ name, text, flaw: null }));
const read = (form: SomeFields, entries: Entries): TextTree =>
  textsOf(form, sortEntries(form, toSent(entries)).sent);

/** The paths of all rows, in the texts of a form. */
function rowPaths(definition: SomeFields, text: TextTree): readonly string[] {
  const all = bindForm({ definition, text }).all();
  return all.filter(({ part }) => part.part === 'rows').map(({ path }) => path);
}

const nodeAt = (texts: TextTree, path: string): readonly TextTree[] =>
  path
    .split('.')
    .reduce<TextNode>((node, step) => (node as TextTree)[step] as TextNode, texts) as never;

/** All texts that are not empty. */
function typedTexts(node: TextNode): string[] {
  if (typeof node === 'string') return node === '' ? [] : [node];
  return Object.values(node as TextTree).flatMap(typedTexts);
}

test('what is written is read again', () => {
  fc.assert(
    fc.property(formArbitrary, ([form, texts]) => {
      assert.deepEqual(read(form, write(form, texts)), texts);
    }),
  );
});

test('the order in which fields are sent changes neither their texts nor the digest', () => {
  const shuffled = formArbitrary.chain(([form, texts]) => {
    const entries = write(form, texts);
    const order = fc.shuffledSubarray([...entries.keys()], { minLength: entries.length });
    return fc.tuple(fc.constant({ form, texts, entries }), order);
  });
  fc.assert(
    fc.property(shuffled, ([{ form, texts, entries }, order]) => {
      // Several texts of one name keep their order, as in a browser.
      const queues = Map.groupBy(entries, ([name]) => name);
      const mixed = order.map((at) => {
        const [name] = entries[at] as Entries[number];
        return (queues.get(name) as Entries[number][]).shift() as Entries[number];
      });
      assert.deepEqual(read(form, mixed), texts);
      const digest = (sent: Entries) =>
        digestForm({
          path: '/',
          form: fillSent(form as never, toSent(sent), english),
          sessionKey: undefined,
        });
      assert.equal(digest(mixed), digest(entries));
    }),
  );
});

test('each entry is found as by itself, also after one of another row', () => {
  const names = fc.array(
    fc.array(fc.constantFrom(...NAMES, '0', '1', 'one', 'two', ''), { maxLength: 5 }),
  );
  fc.assert(
    fc.property(formArbitrary, names, ([form, texts], others) => {
      const strange = others.map((steps) => [steps.join('.'), 'x'] as const);
      const known = strange.filter(([name]) => findField(form, name) !== 'no index');
      const entries = [...known, ...write(form, texts), ...known];
      assert.deepEqual(
        sortEntries(form, toSent(entries)).found,
        entries.map(([name]) => findField(form, name)),
      );
    }),
  );
});

test('a row that is added and removed leaves the form as it was', () => {
  fc.assert(
    fc.property(formArbitrary, ([definition, texts]) => {
      for (const path of rowPaths(definition, texts)) {
        const at = nodeAt(texts, path).length;
        const added = changeText({ definition, text: texts }, toChange('add', path)).text;
        assert.equal(nodeAt(added, path).length, at + 1);
        const left = changeText(
          { definition, text: added },
          toChange('remove', `${path}.${at}`),
        ).text;
        assert.deepEqual(left, texts);
      }
    }),
  );
});

test('no change loses a text, but that of the row that is removed', () => {
  const step = fc.record({
    change: fc.constantFrom('add', 'remove', 'up'),
    path: fc.nat(),
    index: fc.option(fc.nat(MAX), { nil: null }),
    strange: fc.option(fc.string(), { nil: null, freq: 8 }),
  });
  fc.assert(
    fc.property(formArbitrary, fc.array(step, { maxLength: 12 }), ([definition, start], steps) => {
      let texts = start;
      for (const { change, path, index, strange } of steps) {
        const paths = rowPaths(definition, texts);
        const list = paths[path % Math.max(paths.length, 1)] ?? '';
        const value = strange ?? `${change} ${index === null ? list : `${list}.${index}`}`;
        const row =
          change === 'remove' && index !== null && list !== ''
            ? nodeAt(texts, list)[index]
            : undefined;
        const { text } = changeText({ definition, text: texts }, value);
        const removed = strange === null && row !== undefined ? typedTexts(row) : [];
        assert.deepEqual([...typedTexts(text), ...removed].sort(), typedTexts(texts).sort());
        texts = text;
      }
    }),
  );
});
