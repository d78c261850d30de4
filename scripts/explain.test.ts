import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { ROOT } from './project-files.ts';

/** Runs a script in its own folder, in which it must not leave files. */
function run(script: string, ...words: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'explain-'));
  try {
    const result = spawnSync(process.execPath, [join(ROOT, 'scripts', script), ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, FORCE_COLOR: undefined },
    });
    assert.ok(existsSync(folder));
    assert.deepEqual(readdirSync(folder), [], 'a file was left behind');
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ESCAPE = String.fromCharCode(27);

test('routes lists every route in order, with its chain and its place', () => {
  const { status, stdout, stderr } = run('routes.ts');
  assert.equal(stderr, '');
  assert.equal(status, 0);
  assert.ok(!stdout.includes(ESCAPE), 'colour outside a terminal');
  assert.match(stdout, /^ {2}provideStores > logRequests > secureHeaders > catchErrors > /m);
  assert.match(stdout, /^ {2}1 {2}GET {3}\/login /m);
  assert.match(
    stdout,
    /^ +\d+ {2}POST {2}\/items +application\/router\.ts:\d+:\d+\n +requireMember > readForm > createItem > show createItem$/m,
  );
  assert.ok(stdout.split('\n').every((line) => line.length <= 120));
});

test('explain takes GET when no method is given, and methods in any case', () => {
  assert.match(run('explain.ts', '/items/7').stdout, /:number<int> +answers, number = 7$/m);
  assert.match(run('explain.ts', 'post', '/logout').stdout, /^POST "\/logout" is answered by/m);
});

test('explain says 404 and exits with 1 when nothing matches', () => {
  for (const words of [['/nothing'], ['PUT', '/items'], ['POST', '/styles.css']]) {
    const { status, stdout } = run('explain.ts', ...words);
    assert.equal(status, 1);
    assert.match(stdout, /is a 404: no route matches/);
  }
  const refused = run('explain.ts', '/%zz');
  assert.equal(refused.status, 1);
  assert.match(refused.stdout, /is a 400: The address contains a percent escape that is not UTF-8/);
});

test('explain knows the files', () => {
  const { status, stdout } = run('explain.ts', '/styles.css');
  assert.equal(status, 0);
  assert.match(stdout, /^GET "\/styles\.css" is a file: serveFiles answers before any route/m);
});

test('explain without a path prints its usage', () => {
  for (const words of [[], ['GET', 'items'], ['GET', '/a', '/b']]) {
    const { status, stdout, stderr } = run('explain.ts', ...words);
    assert.equal(status, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /^Usage: npm run explain -- <method> <path>\n/);
  }
});
