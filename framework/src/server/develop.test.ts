/** Runs a program with `--import seeother/develop`, and changes its files. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { isSource } from './develop.ts';

const FRAMEWORK = join(import.meta.dirname, '../..');

const program = (text: string) => `
import { readFileSync } from 'node:fs';
import { serve } from '${FRAMEWORK}/node.ts';
const style = readFileSync('public/styles.css', 'utf8');
const handle = async ({ body }) => {
  let sent = '';
  for await (const chunk of body ?? []) sent += Buffer.from(chunk);
  return { status: 200, headers: {}, body: ${text} + style + sent };
};
const { url, stop } = await serve({ handle }, { host: '192.0.2.1', port: 1 });
console.log('Listening on ' + url);
process.once('SIGTERM', () => stop(1000));
`;

async function run(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-develop-'));
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  mkdirSync(join(folder, 'public'));
  write('package.json', '{"type":"module"}');
  write('public/styles.css', ' a');
  write('main.js', program(`'one'`));
  const child = spawn(process.execPath, ['--import', `${FRAMEWORK}/develop.ts`, 'main.js'], {
    cwd: folder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.after(async () => {
    child.kill();
    await once(child, 'close');
    rmSync(folder, { recursive: true });
  });
  const url = await new Promise<string>((resolve) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const [, found] = /Listening on (\S+)\n/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const ask = async (body?: string) => {
    const answer = await fetch(url, body === undefined ? {} : { method: 'POST', body });
    return [answer.status, await answer.text()] as const;
  };
  return { ask, write };
}

/** The system tells of a change a moment after it: asks until the answer is another one. */
async function askAnew(ask: () => Promise<readonly [number, string]>, before: string) {
  for (;;) {
    const answer = await ask();
    if (answer[1] !== before) return answer;
  }
}

test('a changed file is served at once, and no request is refused meanwhile', async (t) => {
  const { ask, write } = await run(t);
  assert.deepEqual(await ask(), [200, 'one a']);
  write('main.js', program(`'two'`));
  assert.deepEqual(await askAnew(ask, 'one a'), [200, 'two a']);
  write('public/styles.css', ' b');
  assert.deepEqual(await askAnew(ask, 'two a'), [200, 'two b']);
  assert.deepEqual(await ask(' form'), [200, 'two b form']);
});

test('a program that does not start says so to the browser, until it is changed', async (t) => {
  const { ask, write } = await run(t);
  write('main.js', 'const = 1;');
  const [status, text] = await askAnew(ask, 'one a');
  assert.equal(status, 503);
  assert.match(text, /starts again after the next change\.[\s\S]*SyntaxError/);
  write('main.js', program(`'two'`));
  assert.deepEqual(await askAnew(ask, text), [200, 'two a']);
});

test('a database, a log, a test or a package that changes starts nothing', () => {
  const files = ['main.ts', '.env', 'public/styles.css', join('items', 'list', 'page.mjs')];
  const others = [
    'data.db',
    'data.db-wal',
    'notes.test.ts',
    '.git/index.js',
    'node_modules/a/b.js',
    'storage/a.png',
  ];
  assert.deepEqual([...files, ...others].filter(isSource), files);
});
