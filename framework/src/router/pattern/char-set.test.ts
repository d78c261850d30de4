import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  ANYTHING,
  type CharSet,
  complement,
  contains,
  fromCharacters,
  representatives,
  unite,
} from './char-set.ts';

const LAST = 0x10ffff;

/** Few and close characters, and the borders of Unicode, so that ranges touch and overlap. */
const codes = fc.oneof(fc.nat({ max: 20 }), fc.integer({ min: LAST - 3, max: LAST }));
const sets = fc
  .array(fc.tuple(codes, codes), { maxLength: 5 })
  .map((pairs) =>
    pairs.reduce<CharSet>((set, [x, y]) => unite(set, [[Math.min(x, y), Math.max(x, y)]]), []),
  );

test('the characters of a text make a set of ranges that do not touch', () => {
  assert.deepEqual(fromCharacters('cab'), [[97, 99]]);
  assert.deepEqual(fromCharacters('ac🐀'), [
    [97, 97],
    [99, 99],
    [0x1f400, 0x1f400],
  ]);
  assert.deepEqual(fromCharacters(''), []);
});

test('a union contains both sets, and a complement everything else', () => {
  fc.assert(
    fc.property(sets, sets, codes, (one, other, code) => {
      assert.equal(contains(unite(one, other), code), contains(one, code) || contains(other, code));
      assert.equal(contains(complement(one), code), !contains(one, code));
    }),
    { numRuns: 2_000 },
  );
});

test('ranges stay sorted and apart', () => {
  fc.assert(
    fc.property(sets, sets, (one, other) => {
      for (const set of [unite(one, other), complement(one)]) {
        for (const [index, [first, last]] of set.entries()) {
          assert.ok(first <= last);
          const next = set[index + 1];
          if (next !== undefined) assert.ok(last + 1 < next[0], JSON.stringify(set));
        }
      }
    }),
  );
});

test('the complement of the complement is the set, and that of everything is empty', () => {
  fc.assert(fc.property(sets, (set) => assert.deepEqual(complement(complement(set)), set)));
  assert.deepEqual(complement(ANYTHING), []);
});

test('every character has a representative that is in the same sets', () => {
  fc.assert(
    fc.property(fc.array(sets, { maxLength: 4 }), codes, (list, code) => {
      const signature = (one: number) => list.map((set) => contains(set, one)).join();
      const found = representatives(list);
      assert.ok(found.some((one) => signature(one) === signature(code)));
      assert.equal(new Set(found.map(signature)).size, found.length);
    }),
    { numRuns: 1_000 },
  );
});

test('representatives are readable where they can be', () => {
  assert.deepEqual(representatives([[[0, LAST]]]), [97]);
  assert.deepEqual(
    [...representatives([fromCharacters('/')])].sort((x, y) => x - y),
    [47, 97],
  );
});
