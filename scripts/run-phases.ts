/**
 * Runs the phases of a check, each a script of package.json, beside each other, so that one computes
 * while the other waits. Prints what they print, one phase after the other, and the sum of their
 * results. A phase that does not end with the summary of Node's test runner counts as a failure, and so
 * does one that prints nothing for `SILENCE_LIMIT` seconds: it is ended, because the runner would wait
 * for ever for a test file whose child process is still there.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createTestTimes, listSlowest } from './slowest-tests.ts';

/** A line of the runner's summary, such as `ℹ pass 12`. */
const SUMMARY = /^ℹ (pass|fail|cancelled|skipped) (\d+)$/;
/** The last line of a program that runs tests without Node's runner, as this one. */
const SUM = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/;
const SLOWEST = 10;
const SILENCE_LIMIT = Number(process.env['SILENCE_LIMIT'] ?? 600);
const WINDOWS = process.platform === 'win32';

async function runPhase(phase: string, print: (line: string) => void) {
  const counts = { pass: 0, fail: 0, cancelled: 0, skipped: 0 };
  const npm = spawn('npm', ['run', '--silent', phase], {
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: WINDOWS,
    // A group of its own: all that a phase has started is ended with it.
    detached: !WINDOWS,
  });
  const closed = once(npm, 'close');
  const end = (signal: NodeJS.Signals) => {
    if (npm.pid === undefined) return;
    try {
      process.kill(WINDOWS ? npm.pid : -npm.pid, signal);
    } catch (error) {
      // Nothing of this phase runs any more. npm's exit does not tell: what it started may outlive it.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      end(signal);
      process.exitCode = 1;
    });
  }
  const silence = setTimeout(() => {
    const last = latest === '' ? '' : ` Its last line was: ${latest}`;
    print(`✖ ${phase} printed nothing for ${SILENCE_LIMIT} seconds and was ended.${last}\n`);
    end('SIGKILL');
  }, SILENCE_LIMIT * 1_000);
  let latest = '';
  let isOver = false;
  const times = createTestTimes();
  for await (const line of createInterface({ input: npm.stdout })) {
    const [, name, count] = SUMMARY.exec(line) ?? [];
    if (name !== undefined) counts[name as keyof typeof counts] = Number(count);
    const [sum, pass, fail, skipped = 0] = SUM.exec(line) ?? [];
    if (sum !== undefined)
      Object.assign(counts, { pass: Number(pass), fail: Number(fail), skipped: Number(skipped) });
    // Behind its summary, the runner prints the failed tests again.
    isOver ||= name !== undefined;
    if (!isOver) times.read(line);
    print(`${line}\n`);
    latest = line;
    silence.refresh();
  }
  clearTimeout(silence);
  const [code] = await closed;
  const { pass, fail, cancelled, skipped } = counts;
  // A phase can fail without a failed test: in its global setup, or before it finds any test.
  return {
    ...{ pass, skipped, failed: fail + cancelled || Number(code !== 0 || pass === 0) },
    tests: times.tests,
  };
}

const write = (text: string) => void process.stdout.write(text);
const [first = '', ...others] = process.argv.slice(2);
const running = others.map((phase) => {
  let output = '';
  const print = (text: string) => {
    output += text;
  };
  return runPhase(phase, print).then((result) => ({ result, output }));
});

const results = [await runPhase(first, write)];
for (const { result, output } of await Promise.all(running)) {
  write(output);
  results.push(result);
}

const slowest = listSlowest(
  results.flatMap(({ tests }) => tests),
  SLOWEST,
);
if (slowest.length > 0) write(`\nThe slowest tests:\n${slowest.join('\n')}\n`);
const sum = (name: 'pass' | 'failed' | 'skipped') =>
  results.reduce((total, result) => total + result[name], 0);
const skipped = sum('skipped');
const failed = sum('failed');
write(`\n${sum('pass')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed > 0 ? 1 : 0;
