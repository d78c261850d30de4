/** The requests that are compared, each with the answer that both sides must give. */

import type { LoadRequest } from '../servers/harness/generate-load.ts';
import { openClient, toBytes } from '../servers/harness/send-requests.ts';
import { formRequest, getRequest, visit } from '../servers/harness/visit.ts';

/** The application, or a route of `bench/servers/contenders/seeother.ts`. */
export type ServerKind = 'items' | 'route' | 'guarded';

export interface Side {
  readonly url: string;
  /** Of the session; empty for a server without one. */
  readonly cookie: string;
}

export interface Kind {
  readonly name: string;
  readonly server: ServerKind;
  readonly status: number;
  /** In one measured round: about 150 ms of the server. */
  readonly count: number;
  readonly connections: number;
  /** The requests of a round; fewer than `count` are sent in turn. Made outside of the measured time. */
  readonly make: (side: Side, count: number) => Promise<readonly Buffer[]>;
}

const READERS = 8;

export const KINDS: readonly Kind[] = [
  { ...read('route', () => getRequest('/items/42'), 4_000), server: 'route' },
  { ...read('guarded', () => getRequest('/items/42'), 4_000), server: 'guarded' },
  read('health', () => getRequest('/healthz'), 4_000),
  read('list, visitor', () => getRequest('/items'), 2_000),
  read('list', (Cookie) => getRequest('/items', { Cookie }), 2_000),
  {
    ...read('list-304', () => getRequest('/items'), 2_000),
    status: 304,
    async make({ url, cookie: Cookie }) {
      const { headers } = await visit(url, getRequest('/items', { Cookie }));
      const known = { Cookie, 'If-None-Match': headers.etag ?? '' };
      return [toBytes(url, getRequest('/items', known))];
    },
  },
  read('item', (Cookie) => getRequest('/items/7', { Cookie }), 2_000),
  // More at once are refused.
  {
    ...read('search', (Cookie) => getRequest('/items?q=cable', { Cookie }), 1_000),
    connections: 1,
  },
  read('empty form', (Cookie) => getRequest('/items/new', { Cookie }), 2_000),
  {
    ...read('refused form', () => getRequest('/items'), 800),
    status: 400,
    make: async (side) => fillForms(side, 1, { ...ITEM, name: '', quantity: 'many' }),
  },
  read('log-in page', () => getRequest('/login'), 2_000),
  read('style sheet', () => getRequest('/styles.css'), 2_000),
  create('create, one by one', 1),
  create('create, 32 connections', 32),
];

const ITEM = {
  name: 'Cordless drill',
  description: 'Charge one battery when you take the other.',
  quantity: '3',
  location: 'Workshop, wall',
  tags: 'tools, lent out often',
};

function read(name: string, request: (cookie: string) => LoadRequest, count: number): Kind {
  const make = async ({ url, cookie }: Side) => [toBytes(url, request(cookie))];
  return { name, server: 'items', status: 200, count, connections: READERS, make };
}

function create(name: string, connections: number): Kind {
  const make = (side: Side, count: number) => fillForms(side, count, ITEM);
  return { name, server: 'items', status: 303, count: 500, connections, make };
}

/**
 * Each form has a page of its own with the keys that this side put there: the other commit may make them differently.
 */
async function fillForms(
  { url, cookie: Cookie }: Side,
  count: number,
  fields: Readonly<Record<string, string>>,
): Promise<readonly Buffer[]> {
  const requests = [toBytes(url, getRequest('/items/new', { Cookie }))];
  const client = await openClient(url, READERS);
  const pages = await client.send({ requests, count, status: 200 });
  return pages.map((page) => {
    const hidden = [...page.toString().matchAll(HIDDEN)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);
    const form = { ...Object.fromEntries(hidden), ...fields };
    return toBytes(url, formRequest('/items', new URLSearchParams(form).toString(), { Cookie }));
  });
}

const HIDDEN = /<input type="hidden" name="([^"]+)" value="([^"]*)"/g;
