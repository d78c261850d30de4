import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import test from 'node:test';
import { parseOptions, withDefaults } from './options.js';
import { toPackageName } from './package-name.js';
import { ask } from './questions.js';

/** Asks for what `args` left open. Each question gets the next answer; null closes the terminal. */
async function answer(args: readonly string[], answers: readonly (string | null)[]) {
  const input = new PassThrough();
  const output = new PassThrough({ encoding: 'utf8' });
  const questions: string[] = [];
  let next = 0;
  output.on('data', (text: string) => {
    if (text.endsWith('\n')) return;
    questions.push(text);
    const line = answers[next++];
    if (line === null) input.end();
    else input.write(`${line}\n`);
  });
  const given = await ask(parseOptions(args), input, output);
  return { options: withDefaults(given), questions };
}

const WAYS = 'Ways to sign in besides a password: 1 link, 2 codes, 3 passkeys, 4 company (none) ';

test('an empty answer is the default', async () => {
  const { options, questions } = await answer([], ['', '', '', '', '']);
  assert.deepEqual(questions, [
    'Directory (seeother-site) ',
    'Template: 1 form or 2 app or 3 crud (form) ',
    'Database: 1 sqlite or 2 postgres (sqlite) ',
    'Run "npm install"? (Y/n) ',
    'Run "git init"? (y/N) ',
  ]);
  assert.deepEqual(options, withDefaults(parseOptions([])));
});

test('only what was not given is asked', async () => {
  const { options, questions } = await answer(
    ['notes', '--template', 'app', '--no-install', '--git'],
    ['', 'postgres'],
  );
  assert.deepEqual(questions, [WAYS, 'Database: 1 sqlite or 2 postgres (sqlite) ']);
  assert.deepEqual(options, {
    directory: 'notes',
    template: 'app',
    database: 'postgres',
    signIn: [],
    install: false,
    git: true,
    seeother: undefined,
    crud: null,
  });
});

test('for the pages of things it asks what they are, and says what is wrong with an answer', async () => {
  const { options, questions } = await answer(
    ['shop', '--no-install', '--no-git', '--database', 'sqlite'],
    ['crud', 'Books', 'books', '<b>', 'book', 'name:string', 'name, price:money'],
  );
  assert.deepEqual(questions.slice(1), [
    ...['The things, in the plural (things) ', 'The things, in the plural (things) '],
    ...['One of them (entry) ', 'One of them (entry) '],
    'Their fields, as name:kind:label (name:text:Name, note:multiline:Note) ',
    'Their fields, as name:kind:label (name:text:Name, note:multiline:Note) ',
  ]);
  const { folder, one, fields } = options.crud ?? assert.fail('no crud');
  assert.deepEqual([options.template, folder, one, fields.length], ['crud', 'books', 'book', 2]);
});

test('--crud asks for no template, and beside the application it adds to it', async () => {
  const short = ['shop', '--no-install', '--no-git', '--database', 'sqlite', '--crud', 'books'];
  const { options, questions } = await answer(short, ['', '']);
  assert.equal(questions.length, 2);
  assert.equal(options.template, 'crud');
  const both = withDefaults(parseOptions([...short, '--template', 'app']));
  assert.deepEqual([both.template, both.crud?.one], ['app', 'entry']);
});

test('an answer that is none of the choices is asked again', async () => {
  const { options, questions } = await answer(
    ['notes'],
    ['app', 'none', 'mysql', 'Postgres', 'what', 'n', 'Yes'],
  );
  assert.equal(questions.length, 7);
  assert.equal(options.template, 'app');
  assert.deepEqual([options.database, options.install, options.git], ['postgres', false, true]);
});

test('a choice is taken by its name, its number or the first letters of its name', async () => {
  for (const [template, database] of [
    ['2', 'p'],
    ['a', '2'],
    ['APP', 'Post'],
  ] as const) {
    const { options, questions } = await answer(['notes'], [template, '', database, 'n', 'y']);
    assert.equal(questions.length, 5, `${template} ${database}`);
    assert.deepEqual(
      [options.template, options.database, options.install, options.git],
      ['app', 'postgres', false, true],
    );
  }
});

test('an answer that no question offers is asked again', async () => {
  for (const wrong of ['0', '4', '-', 'b', 'apps', '1 form', '22', '2.0']) {
    const { options, questions } = await answer(
      ['notes', '--database', 'sqlite'],
      [wrong, 'app', '2', 'a', 'nn', 'n', 'y'],
    );
    assert.equal(questions.length, 7, wrong);
    assert.deepEqual([options.template, options.install, options.git], ['app', false, true]);
  }
});

test('ways to sign in are chosen by names, numbers or first letters, in any order', async () => {
  const rest = ['--database', 'sqlite', '--no-install', '--no-git'];
  for (const [given, signIn] of [
    ['2 link', ['link', 'codes']],
    ['CODES', ['codes']],
    ['l,', ['link']],
    ['none', []],
  ] as const) {
    const { options, questions } = await answer(
      ['notes', '--template', 'app', ...rest],
      ['9', given],
    );
    assert.deepEqual(questions, [WAYS, WAYS]);
    assert.deepEqual(options.signIn, signIn, given);
  }
  const { options, questions } = await answer(['notes', '--sign-in', 'password', ...rest], []);
  assert.deepEqual([questions, options.template, options.signIn], [[], 'app', []]);
});

test('a terminal that is closed cancels', async () => {
  await assert.rejects(answer([], ['notes', null]), /Cancelled: nothing was created\.$/);
});

test('a directory gives a name that npm accepts', () => {
  const names = {
    notes: 'notes',
    'My Notes': 'my-notes',
    Über: 'uber',
    '.hidden': 'hidden',
    _private: 'private',
    'a..b_c-1': 'a..b_c-1',
    'notes!!': 'notes',
    日本: 'seeother-site',
    node_modules: 'node_modules-site',
    seeother: 'seeother-site',
    ['x'.repeat(300)]: 'x'.repeat(200),
  };
  for (const [directory, name] of Object.entries(names))
    assert.equal(toPackageName(directory), name);
});
