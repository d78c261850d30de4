/**
 * docs/security/asvs.md has each requirement of level 1 and 2 of OWASP ASVS 5.0.0, and the tests that prove it. What
 * stands beside it in docs/security runs too.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { openDatabase } from '../application/database/open-database.ts';
import { createTestFolder } from '../application/testing/open-test-database.ts';
import { hasTest } from './has-test.ts';
import { listFiles, ROOT, readText } from './project-files.ts';

/** The levels of the requirements of each section, in their order: 2.1 has one of level 1 and two of level 2. */
const LEVELS: Readonly<Record<string, readonly string[]>> = {
  1: ['22', '1111122223', '112222222223', '222', '123'],
  2: ['122', '112', '12223', '23'],
  3: ['3', '113', '12223', '11222233', '11122333', '3', '22333'],
  4: ['12233', '23333', '22', '1222'],
  5: ['2', '112333', '113', '222'],
  6: ['122', '111111112222', '11223333', '112233', '22222333', '2223', '33', '2222'],
  7: ['222', '1111', '22', '11222', '223', '22'],
  8: ['1233', '1123', '133', '23'],
  9: ['111', '1222'],
  10: ['22', '223', '22223', '1111122222233333', '22222', '22', '222'],
  11: ['2233', '22233', '11233', '1222', '23', '23', '33'],
  12: ['12233', '11', '22223'],
  13: ['2333', '222223', '2233', '1222233'],
  14: ['22', '12223333', '122'],
  15: ['12233', '12233', '1222222', '3333'],
  16: ['2', '22222', '2222', '222', '2223'],
  17: ['23', '22223333', '22'],
};

/** Sections that ask for documents: a page is their proof. */
const OF_DOCUMENTS = [2, 5, 6, 7, 8, 11, 13, 14, 15, 16].map((chapter) => `${chapter}.1`);

const PAGE = readText('docs/security/asvs.md');

interface Row {
  readonly id: string;
  readonly level: string;
  readonly answer: 'Met' | 'Not met' | 'Not applicable';
  readonly why: string;
  /** A test as `file: name`, or a link to a page. */
  readonly proofs: readonly string[];
}

const rows: readonly Row[] = [
  ...PAGE.matchAll(
    /^\| ([\d.]+) \| (\d) \| .+ \| (Met|Not met|Not applicable): (.+) \| (.+) \|$/gm,
  ),
].map(([, id = '', level = '', answer, why = '', shown = '']) => ({
  id,
  level,
  answer: answer as Row['answer'],
  why,
  proofs: shown === '–' ? [] : shown.split('<br>'),
}));

/** With its level, of all three levels. */
const requirements = Object.entries(LEVELS).flatMap(([chapter, sections]) =>
  sections.flatMap((levels, section) =>
    [...levels].map((level, at) => ({ id: `${chapter}.${section + 1}.${at + 1}`, level })),
  ),
);

test('each requirement of level 1 and 2 has one row, in order, with its level', () => {
  assert.equal(requirements.length, 345);
  assert.deepEqual(
    rows.map(({ id, level }) => ({ id, level })),
    requirements.filter(({ level }) => level !== '3'),
  );
});

test('what is met has proofs that exist, and what is not has a reason', () => {
  const files = new Set(listFiles());
  const missing = rows.flatMap(({ id, answer, why, proofs }) => {
    const section = id.replace(/\.\d+$/, '');
    const kinds = proofs.map((proof) => {
      const [, page] = /^\[[^\]]+\]\(([^)#]+)\)$/.exec(proof) ?? [];
      if (page !== undefined)
        return existsSync(join(ROOT, 'docs/security', page)) ? 'page' : `no page ${page}`;
      const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(proof) ?? [];
      return files.has(file) && hasTest(readText(file), name) ? 'test' : `no test ${proof}`;
    });
    const isProved =
      kinds.includes('test') || (OF_DOCUMENTS.includes(section) && kinds.includes('page'));
    return [
      ...kinds.filter((kind) => kind.startsWith('no ')),
      ...(answer === 'Met' && !isProved ? ['it is met, and has no proof'] : []),
      ...(answer !== 'Met' && why.length < 10 ? ['it has no reason'] : []),
    ].map((flaw) => `${id}: ${flaw}`);
  });
  assert.deepEqual(missing, []);
});

test('each attack on accounts names a test that exists, and each such test an attack', () => {
  const sections = readText('docs/security/attacks.md')
    .split(/^Tests of /m)
    .slice(1);
  const shown = sections.map((section) => {
    const [, file = ''] = /^`([^`]+)`/.exec(section) ?? [];
    const names = [...section.matchAll(/^\| .+? \| (.+) \|$/gm)].map(([, name = '']) =>
      name.replaceAll('\\|', '|'),
    );
    return { file, names: names.slice(1) };
  });
  const missing = shown.flatMap(({ file, names }) =>
    names.filter((name) => !hasTest(readText(file), name)).map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(missing, []);
  for (const { file, names } of shown)
    assert.equal(readText(file).match(/^ +story\($|^ +story\([`']/gm)?.length, names.length, file);
  assert.ok(shown.flatMap(({ names }) => names).length >= 40);
});

test('the counts are those of the rows, and level 3 is left out', () => {
  const counts = ['1', '2'].map((level) => {
    const ofLevel = rows.filter((row) => row.level === level);
    const count = (answer: Row['answer']) => ofLevel.filter((row) => row.answer === answer).length;
    return `| ${level} | ${ofLevel.length} | ${count('Met')} | ${count('Not met')} | ${count('Not applicable')} |`;
  });
  assert.deepEqual(PAGE.match(/^\| [12] \| \d+ \| \d+ \| \d+ \| \d+ \|$/gm), counts);
  const leftOut = requirements.filter(({ level }) => level === '3').length;
  assert.match(PAGE, new RegExp(`^The ${leftOut} requirements of level 3 are left out`, 'm'));
});

test('level 1 is met, and of level 2 all but ten', () => {
  const listNotMet = (level: string) =>
    rows.filter((row) => row.level === level && row.answer === 'Not met').map(({ id }) => id);
  assert.deepEqual(listNotMet('1'), []);
  assert.ok(listNotMet('2').length <= 10, `${listNotMet('2')}`);
});

test('no release has packages that were compared more than thirty days before it', () => {
  const [, compared = ''] =
    /^Last compared: (\d{4}-\d\d-\d\d)\./m.exec(readText('SECURITY.md')) ?? [];
  const [, released = ''] = /^## \[[\d.]+\] - (.+)$/m.exec(readText('CHANGELOG.md')) ?? [];
  assert.ok(Date.parse(compared) > 0, 'SECURITY.md does not say when packages were compared');
  const days = (Date.parse(released) - Date.parse(compared)) / 864e5;
  assert.ok(days <= 30, `${days} days: run "npm audit" and "npm outdated", and write the day`);
});

test('the statements for an incident end what they say', async (t) => {
  const statements = [
    ...readText('docs/security/incidents.md').matchAll(/```sql (\w+)\n([\s\S]*?)```/g),
  ];
  assert.ok(statements.length >= 2, `only ${statements.length} statements`);
  const file = join(createTestFolder(t), 'application.db');
  await (await openDatabase(`sqlite:${file}`)).close();
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  const fill = () =>
    database.exec(`
      delete from sessions; delete from devices; delete from seeother_account_tokens; delete from accounts;
      insert into accounts (id, username, username_key, password_hash, created_at)
      values (1, 'ada', 'ada', '', '');
      insert into sessions (key, account_id, started_at, seen_at, ends_at, remembered)
      values ('a session', 1, '', '', '', 0);
      insert into devices (key, account_id, seen_at) values ('a device', 1, '');
      insert into seeother_account_tokens (key, kind, data, created_at, ends_at)
      values ('a link', 'invitation', '{}', '', '');
      drop table if exists seeother_logins;
      create table seeother_logins (key text);
      insert into seeother_logins values ('a session');`);
  const countAll = () =>
    ['sessions', 'devices', 'seeother_account_tokens']
      .map((rows) => database.prepare(`select count(*) as found from ${rows}`).get()?.['found'])
      .join();
  fill();
  assert.equal(countAll(), '1,1,1');
  assert.match(readText('framework/src/database/session-store.ts'), /'seeother_logins'/);
  const left = statements.map(([, , statement = '']) => {
    fill();
    database.exec(statement);
    return `${countAll()}, ${database.prepare('select key from seeother_logins').all().length}`;
  });
  assert.deepEqual(left, ['0,0,0, 1', '1,1,1, 0']);
});
