import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';

const FILE = join(import.meta.dirname, 'keep-compiled.cjs');
const PROJECT = join(import.meta.dirname, '..');

/** Runs a TypeScript file that prints the folder of the compile cache. */
function runWith(t: test.TestContext, cache: string | undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'compiled-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'program.mts');
  writeFileSync(
    program,
    `import { getCompileCacheDir } from 'node:module';
    const place: string | undefined = getCompileCacheDir();
    process.stdout.write([place, process.env['NODE_COMPILE_CACHE']].join('|'));`,
  );
  const { NODE_COMPILE_CACHE: _, ...environment } = process.env;
  return spawnSync(process.execPath, ['--require', FILE, program], {
    env: { ...environment, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }) },
    encoding: 'utf8',
  });
}

test('the compile cache is inside the project, for child processes too', (t) => {
  const { stdout, stderr } = runWith(t, undefined);
  const [used = '', inherited = ''] = stdout.split('|');
  const folder = join(PROJECT, 'node_modules/.cache/compiled');
  assert.equal(inherited, folder);
  assert.ok(used.startsWith(folder), used);
  assert.equal(stderr, '');
});

test('another folder can be set', (t) => {
  const named = mkdtempSync(join(tmpdir(), 'named-'));
  t.after(() => rmSync(named, { recursive: true }));
  const { stdout } = runWith(t, named);
  assert.ok(stdout.startsWith(named), stdout);
  assert.notDeepEqual(readdirSync(named), []);
});

test('a folder that is not writable does not prevent a start', (t) => {
  const { status, stdout, stderr } = runWith(t, join(FILE, 'compiled'));
  assert.equal(status, 0);
  assert.match(stdout, /^\|/);
  assert.equal(stderr, '');
});
