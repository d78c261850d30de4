/** Tests `npm run dev` on a copy of the sources, so that a change does not affect other tests. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import { BARE_ENVIRONMENT } from '../application/testing/bare-environment.ts';
import { createTestFolder } from '../application/testing/open-test-database.ts';
import { reachInstance } from '../application/testing/reach-instance.ts';
import { ROOT, readText } from './project-files.ts';

/** Milliseconds to wait for a line. */
const LIMIT = 60_000;

function copySources(t: TestContext): string {
  const folder = createTestFolder(t);
  for (const part of ['application', 'framework', 'scripts', 'package.json']) {
    const filter = (path: string) => !path.endsWith('node_modules');
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function runDev(t: TestContext, folder: string) {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: { dev: string } };
  const child = spawn(process.execPath, scripts.dev.split(' ').slice(1), {
    cwd: folder,
    env: { ...BARE_ENVIRONMENT, PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const ended = once(child, 'close');
  t.after(async () => {
    // Kills the whole process group, as a terminal does, so that no process keeps the pipe open.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  /**
   * Waits for text after the previous match that matches every expression, in any order, because two
   * processes write the lines. Resolves to the match of the first expression.
   */
  return async function nextLine(...expressions: readonly RegExp[]): Promise<string> {
    const signal = AbortSignal.timeout(LIMIT);
    for (;;) {
      const found = expressions.map((expression) => expression.exec(errors));
      if (found.every((one) => one !== null)) {
        errors = errors.slice(Math.max(...found.map((one) => one.index + one[0].length)));
        return found[0]?.[0] ?? '';
      }
      await once(child.stderr, 'data', { signal }).catch(() => assert.fail(errors));
    }
  };
}

test('npm run dev serves the changed application, or says why it cannot start', async (t) => {
  const folder = copySources(t);
  const nextLine = runDev(t, folder);
  const listens = /Listening on http:\S+/;
  const url = (await nextLine(listens)).slice('Listening on '.length);
  const instance = reachInstance(() => url);
  const visitor = createVisitor({
    // A new connection per request: the old process closes its own.
    handle: (request) =>
      instance.handle({ ...request, headers: { ...request.headers, connection: 'close' } }),
  });
  const createItem = async (name: string) => {
    const answer = await visitor.submit('/items/new', { name });
    assert.equal(answer.status, 303);
    assert.match(String((await visitor.follow(answer)).body), new RegExp(`<h1>${name} `));
  };
  await visitor.submit('/register', { username: 'ada', password: 'correct horse battery' });
  await createItem('Ladder');

  const layout = join(folder, 'application', 'site', 'layout.ts');
  const source = readFileSync(layout, 'utf8');
  utimesSync(layout, new Date(), new Date());
  await nextLine(/Stopped: every request was answered/, listens);
  await createItem('Sledge');

  writeFileSync(layout, `${source}\nconst = 1;\n`);
  await nextLine(/SyntaxError/);
  const broken = await visitor.get('/items');
  assert.equal(broken.status, 503);
  assert.match(bodyText(broken), /starts again after the next change[\s\S]*SyntaxError/);

  writeFileSync(layout, source.replaceAll('siteName()', "'Changed'"));
  // Not even after a moment: the request waits.
  assert.match(bodyText(await visitor.get('/items')), /<title>Items &#8211; Changed<\/title>/);
});
