/** What the database holds in the end, read past the service. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';

/** Every item's path by its name; rejects numbers with a gap, and names that are there twice. */
export function readNumbers(file: string): ReadonlyMap<string, string> {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare('select number, name from items order by number').all();
  database.close();
  rows.forEach(({ number }, index) => {
    assert.equal(number, index + 1, 'the numbers have a gap');
  });
  const paths = new Map(rows.map(({ number, name }) => [String(name), `/items/${number}`]));
  assert.equal(paths.size, rows.length, 'an item is there twice');
  return paths;
}
