/** Runs the doctor as a child process and checks the format of its output. */
import assert from 'node:assert/strict';
import type { Environment } from '../application/settings/config.ts';
import { runScript } from '../application/testing/run-script.ts';

export async function runDoctor(environment: Environment) {
  const { code, output, errors } = await runScript('doctor', [], environment);
  assert.equal(errors, '');
  const lines = output.trimEnd().split('\n');
  const end = lines.pop();
  assert.equal(lines.pop(), '');
  for (const line of lines) assert.match(line, /^(good|note|bad ) {2}\P{Cc}+\.$/u);
  assert.match(end ?? '', code === 0 ? /^Good: the service can start\./ : /^Not good: \d+ of/);
  assert.equal(code === 0, !lines.some((line) => line.startsWith('bad')));
  const has = (expression: RegExp) =>
    assert.ok(
      lines.some((line) => expression.test(line)),
      `${expression}:\n${output}`,
    );
  return { code, output, lines, has };
}
