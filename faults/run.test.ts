import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';

test('an unknown fault is one line of error, whatever its name', () => {
  for (const name of ['toString', '__proto__', 'flood']) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, 'run.ts'), 'kill', name],
      { encoding: 'utf8' },
    );
    assert.equal(status, 1, name);
    assert.equal(stdout, '');
    assert.match(stderr, new RegExp(`^Cannot run the fault ${name}: there are kill, [^\\n]+\\n$`));
  }
});
