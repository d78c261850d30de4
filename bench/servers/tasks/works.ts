/** The requests that are measured, and what a correct answer to each is. */
import assert from 'node:assert/strict';
import type { Kind } from '../contenders/settings.ts';
import { describePage } from '../harness/describe-page.ts';
import type { LoadRequest } from '../harness/generate-load.ts';
import type { RunningServer } from '../harness/start-server.ts';
import type { Subject } from '../harness/task.ts';
import { type Answer, getRequest, logIn, visit } from '../harness/visit.ts';

export interface Work {
  readonly name: string;
  readonly title: string;
  readonly kind: Kind;
  readonly yardstick: Subject;
  readonly environment: Readonly<Record<string, string>>;
  /** What the load generator sends; null when the server has no such thing. */
  readonly prepare: (server: RunningServer) => Promise<LoadRequest | null>;
  /** Throws unless the answer is right; `reference` is the yardstick's. */
  readonly check: (answer: Answer, reference: Answer) => void;
}

const RAW_ROUTE = { name: 'raw', kind: 'route' } as const;
const RAW_ITEMS = { name: 'raw', kind: 'items' } as const;
const EMPTY = { name: 'empty', kind: 'items' } as const;

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
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    },
  },
  {
    name: 'list',
    title: 'list of 20 items from SQLite, logged in, log on',
    kind: 'items',
    yardstick: RAW_ITEMS,
    environment: {},
    prepare: async ({ url }) => getRequest('/items', { Cookie: await logIn(url) }),
    check: checkList,
  },
  {
    name: 'list-anew',
    title: 'its last page, each request under another page number: no cache helps',
    kind: 'items',
    yardstick: RAW_ITEMS,
    environment: {},
    // Beyond the last page comes the last page.
    prepare: async ({ url }) => getRequest('/items?page=100{n}', { Cookie: await logIn(url) }),
    check: checkList,
  },
  {
    name: 'list-304',
    title: 'the list, not modified (1.00 is an empty 304)',
    kind: 'items',
    yardstick: EMPTY,
    environment: { PAGE_ETAGS: '1' },
    async prepare({ name, url }) {
      if (name === 'empty') return getRequest('/items', { 'If-None-Match': '"1"' });
      const Cookie = await logIn(url);
      return revalidate(url, '/items', { Cookie });
    },
    check: checkNotModified,
  },
  {
    name: 'styles',
    title: '/styles.css, log on',
    kind: 'items',
    yardstick: RAW_ITEMS,
    environment: {},
    prepare: async () => getRequest('/styles.css'),
    check(answer, reference) {
      assert.equal(answer.status, 200);
      assert.match(answer.headers['content-type'] ?? '', /^text\/css/);
      assert.equal(answer.body, reference.body);
    },
  },
  {
    name: 'styles-304',
    title: '/styles.css, not modified',
    kind: 'items',
    yardstick: RAW_ITEMS,
    environment: {},
    prepare: ({ url }) => revalidate(url, '/styles.css', {}),
    check: checkNotModified,
  },
];

function checkRoute(answer: Answer): void {
  assert.equal(answer.status, 200);
  assert.equal(answer.body, 'Item 42');
  assert.match(answer.headers['content-type'] ?? '', /^text\/plain/);
}

function checkList(answer: Answer, reference: Answer): void {
  assert.equal(answer.status, 200);
  const content = describePage(answer.body);
  assert.equal(content.rows.length, 20);
  assert.deepEqual(content, describePage(reference.body));
  const factor = Buffer.byteLength(answer.body) / Buffer.byteLength(reference.body);
  assert.ok(factor > 0.8 && factor < 1.5, `the page is ${factor} times that of node:http`);
}

function checkNotModified(answer: Answer): void {
  assert.equal(answer.status, 304);
  assert.equal(answer.body, '');
}

/** The request of a browser that has the answer already; null when it carries nothing to ask by. */
async function revalidate(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<LoadRequest | null> {
  const answer = await visit(url, getRequest(path, headers));
  assert.equal(answer.status, 200);
  const etag = answer.headers['etag'];
  if (etag !== undefined) return getRequest(path, { ...headers, 'If-None-Match': etag });
  const modified = answer.headers['last-modified'];
  return modified === undefined
    ? null
    : getRequest(path, { ...headers, 'If-Modified-Since': modified });
}
