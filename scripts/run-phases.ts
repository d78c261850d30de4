/**
 * Runs the phases of `npm test`, each a script of package.json, beside each other, so that one computes
 * while the other waits. Prints what they print, one phase after the other, and the sum of their
 * results. A phase that does not end with the summary of Node's test runner counts as a failure.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A line of the runner's summary, such as `ℹ pass 12`. */
const SUMMARY = /^ℹ (pass|fail|cancelled|skipped) (\d+)$/;

async function runPhase(phase: string, print: (line: string) => void) {
  const counts = { pass: 0, fail: 0, cancelled: 0, skipped: 0 };
  const npm = spawn('npm', ['run', '--silent', phase], {
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  const closed = once(npm, 'close');
  for await (const line of createInterface({ input: npm.stdout })) {
    const [, name, count] = SUMMARY.exec(line) ?? [];
    if (name !== undefined) counts[name as keyof typeof counts] = Number(count);
    print(`${line}\n`);
  }
  const [code] = await closed;
  const { pass, fail, cancelled, skipped } = counts;
  // A phase can fail without a failed test: in its global setup, or before it finds any test.
  return { pass, skipped, failed: fail + cancelled || Number(code !== 0 || pass === 0) };
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

const sum = (name: keyof (typeof results)[number]) =>
  results.reduce((total, result) => total + result[name], 0);
const skipped = sum('skipped');
const failed = sum('failed');
write(`\n${sum('pass')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed > 0 ? 1 : 0;
