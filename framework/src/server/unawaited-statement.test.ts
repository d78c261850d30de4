/** A handler that awaits none of its statements must not let the input of a visitor end the process. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';

const entry = (name: string) => JSON.stringify(new URL(`../../${name}.ts`, import.meta.url));
const PROGRAM = `
import { createSite, defineForm, formPage, html, localPath, page } from ${entry('index')};
import { textField } from ${entry('fields')};
import { createStores } from ${entry('database')};
import { serve } from ${entry('node')};
import { openSqlite } from ${entry('sqlite')};
const database = await openSqlite(process.env.FILE, {
  migrate: async ({ run }) => { await run('create table notes (text text not null)'); },
});
const site = createSite(createStores(database), { log: false })
  .get('/', async () => {
    database.read.run('select nothing from nowhere');
    const { rows } = await database.read.run('select text from notes');
    return page(html\`\${rows.map(({ text }) => text).join()}\`);
  });
const form = defineForm({ text: textField({ label: 'Text', maxLength: 9 }) });
const pages = formPage(site, '/notes', form, {
  button: 'Add',
  show: ({ formHtml }) => formHtml,
  send: ({ transaction, values }) => {
    transaction.run('insert into notes values (?)', [values.text === '' ? null : values.text]);
    return localPath('/');
  },
});
const { url } = await serve(pages, { host: '127.0.0.1', port: 0 });
console.log(url);
`;

test('a statement without await that fails is a 500, and the process lives', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'unawaited-'));
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    env: { ...process.env, FILE: join(folder, 'notes.db') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const [said] = await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data'),
    ended.then(() => assert.fail(`It ended before it listened: ${errors}`)),
  ]);
  const url = String(said).trim();
  const send = async (text: string) => {
    const body = new URLSearchParams({ text, _once: `once-${text}` });
    const answer = await fetch(`${url}/notes`, { method: 'POST', body, redirect: 'manual' });
    return answer.status;
  };
  assert.equal(await send(''), 500);
  assert.equal(await send('good'), 303);
  assert.equal(await send(''), 500);
  assert.equal(await (await fetch(url)).text(), 'good');
  assert.equal(child.exitCode, null);
  assert.match(errors, /NOT NULL constraint failed: notes\.text/);
});
