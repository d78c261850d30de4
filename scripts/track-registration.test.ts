import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { BARE_ENVIRONMENT } from '../application/testing/bare-environment.ts';
import { ROOT } from './project-files.ts';

const MODULE = pathToFileURL(join(ROOT, 'application/testing/track-registration.ts')).href;
const TESTS = `
import { stopTracking } from ${JSON.stringify(MODULE)};
import { createHook } from 'node:async_hooks';
import test, { describe } from 'node:test';
const wait = () => new Promise((resolve) => setTimeout(resolve, 10));
describe('a group', async () => {
  await wait();
  test('loses a promise', () => {
    void Promise.reject(new Error('a lost promise'));
    return wait();
  });
  test('throws in a timer', () => {
    setTimeout(() => { throw new Error('a timer'); }, 1);
    return wait();
  });
  test('has a hook of its own', async () => {
    let count = 0;
    const hook = createHook({ init: () => count++ }).enable();
    await wait();
    hook.disable();
    console.log(count > 0 ? 'its hook works' : 'its hook is off');
  });
  stopTracking();
});
`;

test('an error that no test waits for fails the run, and tests keep their group and their hooks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  try {
    const file = join(folder, 'lost.test.mjs');
    writeFileSync(file, TESTS);
    const options = { env: BARE_ENVIRONMENT, encoding: 'utf8' } as const;
    const args = ['--test', '--test-reporter=spec', file];
    const { status, stdout } = spawnSync(process.execPath, args, options);
    assert.equal(status, 1, stdout);
    assert.match(stdout, /▶ a group\n {2}✔ loses a promise/);
    assert.match(stdout, /"Error: a lost promise" which triggered an unhandledRejection/);
    assert.match(stdout, /"Error: a timer" which triggered an uncaughtException/);
    assert.match(stdout, /its hook works/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
