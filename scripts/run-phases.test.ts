import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';

const PROGRAM = join(import.meta.dirname, 'run-phases.ts');

/** The lines that a phase prints, its exit code, and a phase that must have started before it ends. */
type Phase = readonly [string, number, string?];

/** Writes phases that only print lines. Each writes its process id to `<name>.started`. */
function writePhases(t: TestContext, phases: Readonly<Record<string, Phase>>) {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const scripts: Record<string, string> = {};
  for (const [name, [output, code, other = name]] of Object.entries(phases)) {
    writeFileSync(join(folder, `${name}.txt`), output);
    writeFileSync(
      join(folder, `${name}.cjs`),
      `const { existsSync, readFileSync, writeFileSync } = require('node:fs');
writeFileSync('${name}.started', String(process.pid));
const waiting = setInterval(() => {
  if (!existsSync('${other}.started')) return;
  clearInterval(waiting);
  process.stdout.write(readFileSync('${name}.txt'));
  process.exitCode = ${code};
}, 20);`,
    );
    scripts[name] = `node ${name}.cjs`;
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }));
  return { folder, args: [PROGRAM, ...Object.keys(phases)] };
}

function runPhases(t: TestContext, phases: Readonly<Record<string, Phase>>, environment = {}) {
  const { folder, args } = writePhases(t, phases);
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: status, lines: stdout.trimEnd().split('\n') };
}

test('the suite ends with the sum of the results of its phases', (t) => {
  const { code, lines } = runPhases(t, {
    one: ['✔ a test\nℹ pass 12\nℹ fail 0\nℹ skipped 1\n', 0],
    two: ['ℹ pass 5\nℹ fail 0\n', 0],
  });
  assert.equal(lines.at(-1), '17 passed, 0 failed, 1 skipped');
  assert.equal(lines[0], '✔ a test');
  assert.equal(code, 0);
});

test('phases run beside each other, and their lines are not mixed', (t) => {
  const { lines } = runPhases(t, {
    one: ['✔ first\nℹ pass 1\n', 0, 'two'],
    two: ['✔ second\nℹ pass 1\n', 0, 'one'],
  });
  assert.deepEqual(lines, [
    '✔ first',
    'ℹ pass 1',
    '✔ second',
    'ℹ pass 1',
    '',
    '2 passed, 0 failed',
  ]);
});

test('a phase runs although another has failed', (t) => {
  const { code, lines } = runPhases(t, {
    one: ['ℹ pass 3\nℹ fail 2\nℹ cancelled 1\n', 1],
    two: ['ℹ pass 4\nℹ fail 0\n', 0],
  });
  assert.equal(lines.at(-1), '7 passed, 3 failed');
  assert.equal(code, 1);
});

test('a phase that fails without a failed test, or runs none, is a failure', (t) => {
  const failing = runPhases(t, { one: ['ℹ pass 3\nℹ fail 0\n', 1], two: ['ℹ pass 1\n', 0] });
  assert.equal(failing.lines.at(-1), '4 passed, 1 failed');
  const empty = runPhases(t, { one: ['', 0], two: ['ℹ pass 1\n', 0] });
  assert.equal(empty.lines.at(-1), '1 passed, 1 failed');
  assert.equal(empty.code, 1);
});

test('a phase that prints nothing for the limit is ended with all that it started', (t) => {
  const { code, lines } = runPhases(
    t,
    { one: ['ℹ pass 3\nℹ fail 0\n', 0, 'never'], two: ['ℹ pass 1\n', 0] },
    { SILENCE_LIMIT: '3' },
  );
  assert.match(lines[0] ?? '', /^✖ one printed nothing for 3 seconds and was ended\.$/);
  assert.equal(lines.at(-1), '1 passed, 1 failed');
  assert.equal(code, 1);
});

test('a phase may end with such a sum itself, and the slowest tests of all are named', (t) => {
  const { code, lines } = runPhases(t, {
    one: ['✔ quick (2ms)\n✔ slow (1200ms)\nℹ pass 2\nℹ fail 0\n✔ slow (1200ms)\n', 0],
    two: ['Node 26: passed (20 s)\n8 passed, 0 failed, 1 skipped\n', 0],
  });
  assert.deepEqual(lines.slice(-5), [
    'The slowest tests:',
    '    1.2 s  slow',
    '    0.0 s  quick',
    '',
    '10 passed, 0 failed, 1 skipped',
  ]);
  assert.equal(code, 0);
});

test('a signal ends what still runs when another phase is over', async (t) => {
  const { folder, args } = writePhases(t, {
    one: ['', 0, 'never'],
    two: ['ℹ pass 1\nℹ fail 0\n', 0, 'one'],
  });
  const runner = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = text(runner.stdout);
  const isStarted = () =>
    ['one', 'two'].every((name) => existsSync(join(folder, `${name}.started`)));
  const countPhases = () =>
    execFileSync('ps', ['-A', '-o', 'ppid='], { encoding: 'utf8' })
      .split('\n')
      .filter((parent) => Number(parent) === runner.pid).length;
  while (!isStarted() || countPhases() > 1) await setTimeout(20);
  const one = Number(readFileSync(join(folder, 'one.started'), 'utf8'));
  t.after(() => {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It was ended.
    }
  });
  runner.kill('SIGTERM');
  // The runner sums up when no process of a phase holds its output open.
  assert.equal((await output).trimEnd().split('\n').at(-1), '1 passed, 1 failed');
});
