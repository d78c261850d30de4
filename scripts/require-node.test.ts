import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

const FILE = join(import.meta.dirname, 'require-node.cjs');

/** Runs the check in a process that pretends to be this version of Node. */
function runAs(version: string) {
  const code = `
    Object.defineProperty(process.versions, 'node', { value: ${JSON.stringify(version)} });
    require(${JSON.stringify(FILE)});
    process.stdout.write('went on');`;
  return spawnSync(process.execPath, ['--eval', code], { encoding: 'utf8' });
}

test('a Node that is too old is refused in one line that says what to do', () => {
  for (const version of ['16.20.2', '20.19.4', '22.21.0', '23.11.0', '24.0.0', '24.11.9']) {
    const { status, stdout, stderr } = runAs(version);
    assert.equal(status, 1, version);
    assert.equal(stdout, '', version);
    assert.match(stderr, /^[^\n]+\n$/, 'standard error has not exactly one line');
    assert.ok(stderr.startsWith(`Cannot run on Node ${version}: Node 24.12 or newer is needed.`));
    assert.match(stderr, /npm start/);
  }
});

test('a Node that is new enough continues silently', () => {
  for (const version of ['24.12.0', '24.100.0', '25.0.0', '26.10.0', '100.0.0']) {
    const { status, stdout, stderr } = runAs(version);
    assert.equal(status, 0, version);
    assert.equal(stdout, 'went on', version);
    assert.equal(stderr, '', version);
  }
});

test('npm on an older Node does not warn of packages that need a newer one', () => {
  const { stdout } = spawnSync('npm', ['config', 'get', 'loglevel'], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  assert.equal(stdout, 'error\n');
});

test('the check runs before every script, whose imports an older Node may not know', () => {
  const { scripts } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
  ) as { readonly scripts: Readonly<Record<string, string>> };
  const commands = Object.values(scripts).filter((command) => /\bnode\b/.test(command));
  assert.ok(commands.length > 10);
  for (const command of commands) {
    assert.match(command, /^node --require \.\/scripts\/require-node\.cjs /);
  }
});
