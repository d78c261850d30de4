import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { MIGRATION_NAMES } from './migrate.ts';
import { MIGRATIONS } from './migrations/list.ts';

test('the list has every migration of its folder under its name, in order', async () => {
  const files = readdirSync(join(import.meta.dirname, 'migrations')).sort();
  const names = files.filter((file) => /^\d/.test(file)).map((file) => file.replace(/\.ts$/, ''));
  assert.deepEqual(MIGRATION_NAMES, names);
  for (const name of names) {
    const { up } = await import(`./migrations/${name}.ts`);
    assert.equal((await MIGRATIONS[name]?.())?.up, up, name);
  }
});
