import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { randomPath, randomTable } from '../testing/random-routes.ts';
import { createMatchTable, findFirst } from './match-table.ts';

const TABLES = 600;
const PATHS = 50;

test('the table never differs from the plain walk, in the route or in its parameters', () => {
  let compared = 0;
  let found = 0;
  fc.assert(
    fc.property(fc.gen(), (generate) => {
      const choose = (below: number) => generate(fc.nat, { max: below - 1 });
      const entries = randomTable(choose);
      const paths = Array.from({ length: PATHS }, () => randomPath(choose));
      const table = createMatchTable(entries);
      for (const path of paths) {
        const walked = findFirst(entries, path);
        assert.deepEqual(table.find(path), walked, path);
        if (walked !== null) found++;
      }
      compared += PATHS;
    }),
    { numRuns: TABLES },
  );
  assert.ok(compared >= TABLES * PATHS, `only ${compared} were compared`);
  assert.ok(found > compared / 5, `only ${found} of ${compared} paths had a route`);
});
