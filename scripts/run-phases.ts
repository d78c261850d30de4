/**
 * Runs the phases of `npm test`, each a script of package.json, and prints the sum of their results. A
 * later phase runs even if an earlier one has failed. A phase that does not end with the summary of
 * Node's test runner counts as a failure.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A line of the runner's summary, such as `ℹ pass 12`. */
const SUMMARY = /^ℹ (pass|fail|cancelled|skipped) (\d+)$/;

let [passed, failed, skipped] = [0, 0, 0];

for (const phase of process.argv.slice(2)) {
  const counts = { pass: 0, fail: 0, cancelled: 0, skipped: 0 };
  const npm = spawn('npm', ['run', '--silent', phase], {
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  const closed = once(npm, 'close');
  for await (const line of createInterface({ input: npm.stdout })) {
    const [, name, count] = SUMMARY.exec(line) ?? [];
    if (name !== undefined) counts[name as keyof typeof counts] = Number(count);
    process.stdout.write(`${line}\n`);
  }
  const [code] = await closed;
  passed += counts.pass;
  skipped += counts.skipped;
  // A phase can fail without a failed test: in its global setup, or before it finds any test.
  failed += counts.fail + counts.cancelled || Number(code !== 0 || counts.pass === 0);
}

process.stdout.write(
  `\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
);
process.exitCode = failed > 0 ? 1 : 0;
