import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { text } from '../http/response.ts';
import { randomPath, randomTable } from '../testing/random-routes.ts';
import { findHidden } from './hidden-routes.ts';
import { findFirst } from './match-table.ts';
import { createRouter } from './router.ts';

const TABLES = 300;
const PATHS = 100;

test('a reported route never wins, and every other one wins a path', () => {
  let reported = 0;
  fc.assert(
    fc.property(fc.gen(), (generate) => {
      const choose = (below: number) => generate(fc.nat, { max: below - 1 });
      const router = createRouter();
      for (const { pattern } of randomTable(choose))
        router.register('GET', pattern.source, [], () => text(''));
      const entries = router.patterns.map((pattern, index) => ({ index, pattern }));
      const hidden = findHidden(router).map(({ route }) => router.routes.indexOf(route as never));
      reported += hidden.length;
      for (let count = 0; count < PATHS; count++) {
        const path = randomPath(choose);
        const winner = findFirst(entries, path)?.index ?? -1;
        assert.ok(!hidden.includes(winner), `${router.routes[winner]?.pattern} takes ${path}`);
      }
      for (const [index, { pattern }] of router.routes.entries()) {
        if (hidden.includes(index)) continue;
        // No literal of these tables is 777 or x.
        const path = pattern
          .replaceAll(/:\w+<int>/g, '777')
          .replaceAll(/:\w+/g, 'x')
          .replaceAll(/\*\w+/g, '/x')
          .replaceAll('%', '%25');
        assert.equal(findFirst(entries, path)?.index, index, path);
      }
    }),
    { numRuns: TABLES },
  );
  assert.ok(reported > 200, `only ${reported} were never reached`);
});
