/** Reading takes linear time in the length of a text, whatever it contains. Steps are counted, not seconds. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { openTable } from './read-table.ts';
import { TableError } from './table-error.ts';

/** What the reader looks at characters with. */
const { charCodeAt, indexOf } = String.prototype;

/** How many characters are looked at while a text is read, as often as they are. */
async function countSteps(text: string): Promise<number> {
  let steps = 0;
  Object.assign(String.prototype, {
    charCodeAt(this: string, at: number) {
      steps++;
      return charCodeAt.call(this, at);
    },
    indexOf(this: string, part: string, from = 0) {
      const found = indexOf.call(this, part, from);
      steps += (found === -1 ? this.length : found) - from;
      return found;
    },
  });
  try {
    const { rows } = await openTable(text, { optionalHeader: true });
    for await (const _ of rows);
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
  } finally {
    Object.assign(String.prototype, { charCodeAt, indexOf });
  }
  return steps;
}

test('a text is looked at a limited number of times, also if no quote of it is closed', async () => {
  const pieces = [
    '"',
    '""',
    'a"',
    '"a',
    '\t',
    ',',
    ';',
    '\n',
    '\r\n',
    ' ',
    '\\',
    '\\"',
    'x',
    '\u200f',
    '\0',
  ];
  const texts = fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 })
    .map((parts) => parts.join(''))
    .map((part) => part.repeat(Math.ceil(60_000 / part.length)));
  const open = `name\tage\n${'"open\t1\n'.repeat(8_000)}`;
  const long = `name\tage\n${`"${'x'.repeat(900)}\t1\n`.repeat(66)}`;
  // A hundred rows with wrong quotes are read; each may look for its end in all of the text, for each separator. A
  // reader without that limit takes some 2,000 steps a character.
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const steps = await countSteps(text);
      assert.ok(steps < 1_000 * text.length, `${steps} steps for ${text.length} characters`);
    }),
    { numRuns: 20, examples: [[open], [long]] },
  );
});
