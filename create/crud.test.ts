import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { createBarePostgresDatabase } from '../application/testing/postgres/cluster.ts';
import { skipWithoutPrograms } from '../application/testing/postgres/find-programs.ts';
import { readText } from '../scripts/project-files.ts';
import { create, createProject, runTests, waitLonger } from './made-project.ts';

/** Every kind, words of SQL and of TypeScript, and labels with markup and quotation marks. */
const FIELDS = [
  "class:text:Class <b>“it's”</b>",
  'order:number!:Order & "sort"',
  'select:decimal',
  'price:money',
  'value:money=JPY!',
  'group:date',
  'from:time',
  'table:datetime=Europe/Berlin',
  'where:choice=as new|it\'s "used"|<i>broken</i>!:Condition',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a label that would break out of its quotation marks.
  'constructor:checkbox:${label} `x` \\',
  'toString:multiline',
  'email:email!',
  'web_page:url:Web page: address',
  'telephone:telephone',
  'import:file:Import <b>',
  'cover:file=.txt|.pdf!',
].join(', ');

function createCrud(name: string, ...args: readonly string[]): string {
  return createProject(
    name,
    '--crud',
    'order-items',
    '--one',
    'class',
    '--fields',
    FIELDS,
    ...args,
  );
}

test('the pages of every kind of field pass their tests, with words of SQL and markup as names', () => {
  const project = createCrud('kinds');
  assert.deepEqual(readdirSync(join(project, 'order-items')).sort(), [
    'fields.ts',
    'links.ts',
    'order-items.test.ts',
    'pages.ts',
    'routes.ts',
    'store.ts',
  ]);
  runTests(project, 10);
});

test('the same on PostgreSQL', { skip: skipWithoutPrograms() }, async (t) => {
  const project = createCrud('kinds-postgres', '--database', 'postgres');
  waitLonger(project);
  const tested = await createBarePostgresDatabase();
  t.after(tested.drop);
  runTests(project, 10, { TEST_DATABASE_URL: tested.url });
});

/** Lets only administrators change anything, such as the visitor of the tests. */
function requireAdmin(file: string): void {
  const source = readFileSync(file, 'utf8');
  writeFileSync(file, source.replace("requireRole('member')", "requireRole('admin')"));
}

test('folders are added to each kind of project, and registered; only one with accounts asks for a log-in', () => {
  const projects = { form: [3, 'seeother-form'], app: [20, 'app'], crud: [9, 'crud'] } as const;
  for (const [template, [count]] of Object.entries(projects)) {
    const project = createProject(`added-to-${template}`, '--template', template);
    for (const [plural, one] of [
      ['sheep', 'sheep'],
      ['lists', 'list'],
    ] as const) {
      const { status, stdout, stderr } = create([
        ...[`added-to-${template}`, '--crud', plural, '--one', one],
      ]);
      assert.equal(status, 0, stderr);
      assert.match(stdout, /^Created \d files in .*\nRegistered in router\.ts and database\.ts: /);
    }
    const routes = readFileSync(join(project, 'sheep/routes.ts'), 'utf8');
    assert.equal(/requireRole\('member'\)/.test(routes), template === 'app');
    if (template === 'app') requireAdmin(join(project, 'lists/routes.ts'));
    runTests(project, count + (template === 'app' ? 20 : 18));
  }
});

test('a file brings its folder and its package; they are added once, also to a project with accounts', () => {
  const project = createProject('with-files', '--template', 'app');
  const files = ['package.json', 'accounts.ts', 'router.ts', '.gitignore'];
  const read = () => files.map((file) => readFileSync(join(project, file), 'utf8')).join('');
  assert.doesNotMatch(read(), /busboy|fileStore|storage/);
  for (const [name, left] of [
    ['books', /^Left to do: install the packages that package\.json names now\.$/m],
    ['films', /^Registered in router\.ts and database\.ts: /m],
  ] as const) {
    const { stdout } = create([
      ...['with-files', '--crud', name, '--one', name.slice(0, -1)],
      ...['--fields', 'name, cover:file!, plan:file'],
    ]);
    assert.match(stdout, left);
  }
  for (const word of ['@fastify/busboy', '{ fileStore: createFolder(', 'storage/\n'])
    assert.equal(read().split(word).length, 2, word);
  runTests(project, 20 + 22);
});

test('a name that the project has already is refused, and nothing is written', () => {
  const project = createProject('taken', '--template', 'app');
  const before = readdirSync(project, { recursive: true }).sort();
  for (const [name, why] of [
    ['public', 'the project has a file or a directory of this name'],
    ['items', 'the project has a table of this name already'],
    ['people', 'the project has the address /people already'],
    ['register', 'the project has the address /register already'],
  ]) {
    const { status, stderr } = create(['taken', '--crud', `${name}`]);
    assert.equal(status, 1);
    assert.equal(stderr, `Cannot add ${name}: ${why}. Choose another name.\n`);
  }
  assert.deepEqual(readdirSync(project, { recursive: true }).sort(), before);
});

test('the guide shows the fields as they are written', () => {
  const [, shown = ''] =
    /```\n(export const bookForm[^`]*)```/.exec(readText('docs/guides/crud.md')) ?? [];
  const project = createProject(
    ...['guide', '--crud', 'books', '--one', 'book'],
    ...['--fields', 'title:text:Title, price:money:Price, bought:date:Bought on, state'],
  );
  assert.notEqual(shown, '');
  assert.ok(readFileSync(join(project, 'books/fields.ts'), 'utf8').includes(shown), shown);
});

test('the same command writes the same bytes', () => {
  const read = (project: string) =>
    ['fields.ts', 'routes.ts', 'store.ts', 'pages.ts', 'order-items.test.ts'].map((file) =>
      readFileSync(join(project, 'order-items', file), 'utf8'),
    );
  assert.deepEqual(read(createCrud('once')), read(createCrud('twice')));
});

test('a project whose files were changed gets the folder, and is told what is left to do', () => {
  const project = createProject('changed', '--template', 'crud');
  const router = join(project, 'router.ts');
  writeFileSync(router, readFileSync(router, 'utf8').replace('return site;', 'return (site);'));
  const { stdout } = create(['changed', '--crud', 'books', '--one', 'book']);
  assert.equal(
    stdout,
    `Created 6 files in ${join('changed', 'books')}.\nLeft to do: use addBooks of ./books/routes.ts in router.ts.\n`,
  );
});
