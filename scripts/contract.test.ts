/** docs/contract.md lists every rule of the specification with the tests that prove it. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { hasTest } from './has-test.ts';
import { listFiles, readText } from './project-files.ts';

/** The number of rules in each part of the specification; they are numbered from 1. */
const RULES: Readonly<Record<string, number>> = {
  service: 7,
  route: 4,
  router: 4,
  context: 5,
  middleware: 4,
  response: 3,
  item: 1,
  session: 1,
  log: 1,
  header: 4,
  endpoint: 6,
  routing: 5,
  chain: 8,
  form: 6,
  method: 2,
  authentication: 8,
  status: 7,
  error: 3,
};

interface Row {
  readonly rule: string;
  readonly file: string;
  readonly name: string;
}

/** Rows of the tables: `| routing 1 | words | file: test name |`, several tests separated by `<br>`. */
const rows: readonly Row[] = readText('docs/contract.md')
  .split('\n')
  .filter((line) => /^\| [a-z]+ \d+ \|/.test(line))
  .flatMap((line) => {
    const [rule = '', , tests = ''] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    return tests.split('<br>').map((one) => {
      const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(one.trim()) ?? [];
      return { rule, file, name: name.replaceAll('\\|', '|') };
    });
  });

const files = new Set(listFiles());

test('every rule of the specification is in the contract', () => {
  const expected = Object.entries(RULES).flatMap(([part, count]) =>
    Array.from({ length: count }, (_, index) => `${part} ${index + 1}`),
  );
  const found = new Set(rows.map(({ rule }) => rule));
  assert.deepEqual(
    expected.filter((rule) => !found.has(rule)),
    [],
    'rules without a row',
  );
  assert.deepEqual(
    [...found].filter((rule) => !expected.includes(rule)),
    [],
    'rows without a rule',
  );
});

test('every rule names a test that exists', () => {
  const missing = rows.filter(
    ({ file, name }) => !files.has(file) || !hasTest(readText(file), name),
  );
  assert.deepEqual(missing, []);
});
