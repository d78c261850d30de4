import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { createProject, ENVIRONMENT, FOLDER, readPackage } from './made-project.ts';
import { requireNode } from './node-version.js';

/** Runs a script of the project in a process that pretends to be this version of Node. */
function runScript(project: string, script: string, version: string) {
  const [, ...args] = readPackage(project).scripts[script].split(' ');
  const pretend = join(FOLDER, `node-${version}.cjs`);
  writeFileSync(
    pretend,
    `Object.defineProperty(process.versions, 'node', { value: '${version}' });`,
  );
  const options = { cwd: project, env: ENVIRONMENT, encoding: 'utf8', timeout: 20_000 } as const;
  return spawnSync(process.execPath, ['--require', pretend, ...args], options);
}

test('a project refuses a Node that does not run it, in one line, also for its tests', () => {
  const project = createProject('old');
  const range = '^22.18 || >=24.12';
  assert.equal(readPackage(project).engines.node, range);
  // The line of `dev` is the same, but Node then waits for a change.
  for (const script of ['start', 'test']) {
    // The next test has the others.
    for (const version of ['16.20.2', '24.11.9']) {
      const { status, stdout, stderr } = runScript(project, script, version);
      const expected = `Cannot run on Node ${version}: this project needs Node ${range}. Install the newest from https://nodejs.org.\n`;
      assert.deepEqual([status, stdout, stderr], [1, '', expected], `${script} ${version}`);
    }
  }
});

test('a project runs on each Node that its package.json names', () => {
  const project = createProject('new-form');
  const prepare = join(project, 'prepare.cjs');
  for (const version of [
    '22.18.0',
    '22.23.3',
    '24.12.0',
    '24.100.0',
    '25.0.0',
    '26.10.0',
    '100.0.0',
  ]) {
    const code = `Object.defineProperty(process.versions, 'node', { value: '${version}' });
      require(${JSON.stringify(prepare)});`;
    const { status, stderr } = spawnSync(process.execPath, ['--eval', code], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, ''], version);
    requireNode(version);
  }
  for (const version of ['16.20.2', '20.20.2', '22.17.1', '23.11.1', '24.11.9'])
    assert.throws(() => requireNode(version), /it needs Node \^22\.18 \|\| >=24\.12, and/);
});

test('the settings in .env are read, and do not replace those of the environment', () => {
  const project = createProject('with-env');
  writeFileSync(join(project, '.env'), 'ONE=file\nTWO=file\n');
  writeFileSync(join(project, 'show.cjs'), 'console.log(process.env.ONE, process.env.TWO)');
  const { stdout } = spawnSync(process.execPath, ['--require', './prepare.cjs', 'show.cjs'], {
    cwd: project,
    env: { ...ENVIRONMENT, TWO: 'environment' },
    encoding: 'utf8',
  });
  assert.equal(stdout, 'file environment\n');
});
