/** The rows of the table: what is asked of a server, and what a right answer to it is. */
import assert from 'node:assert/strict';
import type { Kind } from '../contenders/settings.ts';
import type { Name } from './contenders.ts';
import { describePage } from './describe-page.ts';
import type { LoadRequest } from './generate-load.ts';
import type { RunningServer } from './start-server.ts';
import { type Answer, getRequest, logIn } from './visit.ts';

export interface Work {
  readonly name: string;
  readonly title: string;
  readonly kind: Kind;
  /** Whose cost is 1.00. */
  readonly yardstick: { readonly name: Name; readonly kind: Kind };
  readonly environment: Readonly<Record<string, string>>;
  /** What the load generator sends again and again. */
  readonly prepare: (server: RunningServer) => Promise<LoadRequest>;
  /** Throws unless the answer is right; `reference` is the yardstick's. */
  readonly check: (answer: Answer, reference: Answer) => void;
}

const RAW_ROUTE = { name: 'raw', kind: 'route' } as const;
const RAW_ITEMS = { name: 'raw', kind: 'items' } as const;

const checkRoute = (answer: Answer) => {
  assert.equal(answer.status, 200);
  assert.equal(answer.body, 'Item 42');
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/);
};

export const WORKS: readonly Work[] = [
  {
    name: 'route',
    title: 'one parameter route behind two middleware that pass on',
    kind: 'route',
    yardstick: RAW_ROUTE,
    environment: {},
    prepare: async () => getRequest('/items/42'),
    check: checkRoute,
  },
  {
    name: 'guarded',
    title: 'the same with log, errors, headers, cross-origin check',
    kind: 'guarded',
    yardstick: RAW_ROUTE,
    environment: {},
    prepare: async () => getRequest('/items/42'),
    check(answer) {
      checkRoute(answer);
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    },
  },
  {
    name: 'list',
    title: 'list of 20 items from SQLite, logged in, log on',
    kind: 'items',
    yardstick: RAW_ITEMS,
    environment: {},
    prepare: async ({ url }) => getRequest('/items', { Cookie: await logIn(url) }),
    check(answer, reference) {
      assert.equal(answer.status, 200);
      const content = describePage(answer.body);
      assert.equal(content.rows.length, 20);
      assert.deepEqual(content, describePage(reference.body));
      const factor = Buffer.byteLength(answer.body) / Buffer.byteLength(reference.body);
      assert.ok(factor > 0.8 && factor < 1.5, `the page is ${factor} times that of node:http`);
    },
  },
];
