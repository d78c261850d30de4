import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';

const ENTRY = join(import.meta.dirname, '..', '..', 'node.ts');
const LIST = 'process.stdout.write(process.moduleLoadList.join("\\n"))';

test('a server starts without loading an HTTP client', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', `import ${JSON.stringify(ENTRY)}; ${LIST}`],
    { encoding: 'utf8' },
  );
  assert.equal(stderr, '');
  const loaded = stdout.split('\n');
  assert.ok(loaded.includes('NativeModule _http_server'));
  assert.deepEqual(
    loaded.filter((name) => name.includes('undici')),
    [],
  );
});
