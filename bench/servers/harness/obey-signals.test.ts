import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';

test('a contender that ends with SIGTERM has written its compile cache', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'contender-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'program.mjs');
  writeFileSync(program, "process.stdout.write('up'); setInterval(() => {}, 1_000);");
  const cache = join(folder, 'compiled');
  const preload = join(import.meta.dirname, 'obey-signals.ts');
  const child = spawn(process.execPath, ['--import', preload, program], {
    env: { NODE_COMPILE_CACHE: cache },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  assert.equal(countFiles(cache), 0);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  assert.notEqual(countFiles(cache), 0);
});

function countFiles(folder: string): number {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  return found.filter((one) => one.isFile()).length;
}
