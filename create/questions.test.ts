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

test('an empty answer is the default', async () => {
  const { options, questions } = await answer([], ['', '', '', '', '']);
  assert.deepEqual(questions, [
    'Directory (seeother-site) ',
    'Template: form or app (form) ',
    'Database: sqlite or postgres (sqlite) ',
    'Run "npm install"? (Y/n) ',
    'Run "git init"? (y/N) ',
  ]);
  assert.deepEqual(options, withDefaults(parseOptions([])));
});

test('only what was not given is asked', async () => {
  const { options, questions } = await answer(
    ['notes', '--template', 'app', '--no-install', '--git'],
    ['postgres'],
  );
  assert.deepEqual(questions, ['Database: sqlite or postgres (sqlite) ']);
  assert.deepEqual(options, {
    directory: 'notes',
    template: 'app',
    database: 'postgres',
    install: false,
    git: true,
    seeother: undefined,
  });
});

test('an answer that is none of the choices is asked again', async () => {
  const { options, questions } = await answer(
    ['notes'],
    ['app', 'mysql', 'Postgres', 'what', 'n', 'Yes'],
  );
  assert.equal(questions.length, 6);
  assert.equal(options.template, 'app');
  assert.deepEqual([options.database, options.install, options.git], ['postgres', false, true]);
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
