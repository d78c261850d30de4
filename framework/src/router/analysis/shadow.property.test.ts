import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { text } from '../../http/response.ts';
import { randomPath, randomTable } from '../../testing/random-routes.ts';
import { type Entry, findFirst } from '../match-table.ts';
import { createRouter } from '../router.ts';
import { findShadowed, type RouteList, reachRoute } from './shadow.ts';

const TABLES = 150;
const PATHS = 100;

function toList(table: readonly Entry[]): RouteList {
  const router = createRouter();
  for (const { pattern } of table) router.register('GET', pattern.source, [], () => text(''));
  return router;
}

test('a reported route never wins, and every other one has a path that it wins', () => {
  const counts = { shadowed: 0, reached: 0, unknown: 0 };
  fc.assert(
    fc.property(fc.gen(), (generate) => {
      const choose = (below: number) => generate(fc.nat, { max: below - 1 });
      const list = toList(randomTable(choose));
      const entries = list.patterns.map((pattern, index) => ({ index, pattern }));
      const reported = findShadowed(list);
      const silent = new Set(reported.map(({ route }) => list.routes.indexOf(route)));
      for (let count = 0; count < PATHS; count++) {
        const path = randomPath(choose);
        const winner = findFirst(entries, path)?.index ?? -1;
        assert.ok(!silent.has(winner), `${list.routes[winner]?.pattern} takes ${path}`);
      }
      for (const { route, by, example } of reported) {
        const index = list.routes.indexOf(route);
        assert.ok(example !== null, route.pattern);
        assert.notEqual(list.patterns[index]?.match(example), null, example);
        assert.ok(by.length > 0 && by.every((one) => list.routes.indexOf(one) < index));
        const alone = entries.filter((one) => by.includes(list.routes[one.index] as never));
        assert.notEqual(findFirst(alone, example), null, example);
      }
      for (const index of list.routes.keys()) {
        const reach = reachRoute(list, index);
        counts[reach.kind]++;
        assert.equal(reach.kind === 'shadowed', silent.has(index));
        if (reach.kind === 'reached') assert.equal(findFirst(entries, reach.path)?.index, index);
      }
    }),
    { numRuns: TABLES },
  );
  assert.ok(counts.shadowed > 40, `only ${counts.shadowed} were never reached`);
  assert.ok(counts.unknown < counts.reached / 50, `${counts.unknown} were not decided`);
});
