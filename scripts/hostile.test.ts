/** docs/hostile.md lists what strangers try, and names the test of each row by its id. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { listFiles, readText } from './project-files.ts';

/** How many rows each section has; they are numbered from 1. A section stands here once it is written. */
const SECTIONS: Readonly<Record<string, number>> = { B: 9, C: 16, D: 11, E: 14, G: 7, P: 9 };

/** Rows of the tables: `| B1 | words | file |`. */
const rows = readText('docs/hostile.md')
  .split('\n')
  .flatMap((line) => {
    const [, id, file] = /^\| ([A-Z]\d+) \|.*\| `([^`]+)` \|$/.exec(line) ?? [];
    return id === undefined || file === undefined ? [] : [{ id, file }];
  });

/** The id that each test's name starts with, by file; the name itself where there is none. */
const tests = listFiles('application/hostile')
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => {
    const names = readText(file).matchAll(/^test\(\s*(['"`])(.*?)\1,/gm);
    return [...names].map(([, , name = '']) => ({
      file,
      id: /^([A-Z]\d+): /.exec(name)?.[1] ?? name,
    }));
  });

/** What a section that is not written yet has in the way of tests is left alone. */
const isWritten = ({ id }: { readonly id: string }) =>
  !/^[A-Z]\d+$/.test(id) || Object.hasOwn(SECTIONS, id[0] ?? '');

/** Each once: a row may have several tests. */
function toLines(list: readonly { readonly id: string; readonly file: string }[]) {
  const lines = list.filter(isWritten).map(({ id, file }) => `${id} in ${file}`);
  return [...new Set(lines)].sort();
}

test('every id stands in the table, in order', () => {
  const expected = Object.entries(SECTIONS).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
  );
  assert.deepEqual(
    rows.map(({ id }) => id).filter((id) => Object.hasOwn(SECTIONS, id[0] ?? '')),
    expected,
  );
});

test('every row has a test, and every test a row', () => {
  assert.deepEqual(toLines(tests), toLines(rows));
});
