import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { BARE_ENVIRONMENT } from '../application/testing/bare-environment.ts';

const TESTS = `
const { createHook } = require('node:async_hooks');
const test = require('node:test');
const wait = () => new Promise((resolve) => setTimeout(resolve, 10));
test('loses a promise', () => {
  void Promise.reject(new Error('a lost promise'));
  return wait();
});
test('throws in a timer', () => {
  setTimeout(() => { throw new Error('a timer'); }, 1);
  return wait();
});
test('has a hook of its own', () => {
  let count = 0;
  createHook({ init: () => count++ }).enable();
  return wait().then(() => console.log(count > 0 ? 'its hook works' : 'its hook is off'));
});
`;

test('an error that no test waits for fails the run, and hooks of tests work', () => {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  try {
    const file = join(folder, 'lost.test.cjs');
    writeFileSync(file, TESTS);
    const program = join(import.meta.dirname, 'track-no-promises.cjs');
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--require', program, '--test', '--test-reporter=spec', file],
      { env: BARE_ENVIRONMENT, encoding: 'utf8' },
    );
    assert.equal(status, 1, stdout);
    assert.match(stdout, /"Error: a lost promise" which triggered an unhandledRejection/);
    assert.match(stdout, /"Error: a timer" which triggered an uncaughtException/);
    assert.match(stdout, /its hook works/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
