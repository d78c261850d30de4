/**
 * docs/hostile.md lists attacks and faults, and the tests for each: a file in application/security
 * whose test names start with the id of the row, or tests elsewhere, by name.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { hasTest } from './has-test.ts';
import { listFiles, readText } from './project-files.ts';

/**
 * The number of rows in each section; they are numbered from 1. A section is listed once it is written.
 */
const SECTIONS: Readonly<Record<string, number>> = {
  A: 7,
  B: 15,
  C: 32,
  D: 17,
  E: 19,
  F: 29,
  G: 7,
  J: 18,
  K: 11,
  M: 5,
  P: 15,
};

interface Row {
  readonly id: string;
  readonly file: string;
  /** The name of a test elsewhere; undefined for tests whose names start with the id. */
  readonly name: string | undefined;
}

/**
 * Rows of the tables: `| B1 | words | file |` or `| F1 | words | file: test name |`, several with
 * `<br>`.
 */
const rows: readonly Row[] = readText('docs/hostile.md')
  .split('\n')
  .flatMap((line) => {
    const [, id = '', shown = ''] = /^\| ([A-Z]\d+) \|.*\| (`.+) \|$/.exec(line) ?? [];
    if (id === '') return [];
    return shown.split('<br>').map((one) => {
      const [, file = '', name] = /^`([^`]+)`(?:: (.+))?$/.exec(one) ?? [];
      return { id, file, name };
    });
  });

/** The id at the start of each test's name, by file; the name itself if it has none. */
const tests = listFiles('application/security')
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => {
    const names = readText(file).matchAll(
      /^(?:test(?:OnEngines)?|repeatOnEngines)\(\s*(['"`])(.*?)\1,/gm,
    );
    return [...names].map(([, , name = '']) => ({
      file,
      id: /^([A-Z]\d+): /.exec(name)?.[1] ?? name,
    }));
  });

/** Tests of sections that are not written yet are ignored. */
const isWritten = ({ id }: { readonly id: string }) =>
  !/^[A-Z]\d+$/.test(id) || Object.hasOwn(SECTIONS, id[0] ?? '');

/** Without duplicates: a row can have several tests. */
function toLines(list: readonly { readonly id: string; readonly file: string }[]) {
  const lines = list.filter(isWritten).map(({ id, file }) => `${id} in ${file}`);
  return [...new Set(lines)].sort();
}

test('every id is in the table, in order', () => {
  const expected = Object.entries(SECTIONS).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
  );
  assert.deepEqual(
    [...new Set(rows.map(({ id }) => id))].filter((id) => Object.hasOwn(SECTIONS, id[0] ?? '')),
    expected,
  );
});

test('every row has a test, and every test a row', () => {
  assert.deepEqual(toLines(tests), toLines(rows.filter(({ name }) => name === undefined)));
});

test('every test that a row names exists', () => {
  const files = new Set(listFiles());
  const missing = rows.filter(
    ({ file, name }) => name !== undefined && !(files.has(file) && hasTest(readText(file), name)),
  );
  assert.deepEqual(missing, []);
});
