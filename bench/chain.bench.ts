/**
 * What ten middleware that only pass on cost here, against the compose functions of Koa and Hono
 * with three and with ten; what the checks for misuse add to a bare recursive chain; and how much
 * is allocated per request. Run with --expose-gc.
 */
// Not an export of the package: it is the part that is compared here.

import composeKoa from 'koa-compose';
import { compose } from '../framework/src/chain/compose.ts';
import type { AnyMiddleware, Context } from '../framework/src/chain/context.ts';
import { text } from '../framework/src/http/response.ts';
import { get } from '../framework/src/testing/make-request.ts';
import { toTable } from './markdown-table.ts';
import { measureInTurn, type Run, withRatios } from './measure-in-turn.ts';
import { compose as composeHono } from './node_modules/hono/dist/compose.js';
import { median } from './servers/harness/statistics.ts';

const ROUNDS = 21;
const RUNS = 40_000;

/** Whether the middleware and the handler answer at once. */
type Kind = 'synchronous' | 'synchronous before an async handler' | 'async';
// biome-ignore lint/suspicious/noExplicitAny: the rivals have contexts of their own.
type Foreign = any;

const response = text('answered');
const request = get('/items/7');
const route = { method: 'GET', pattern: '/items/:number' } as const;

/** Each element is a function of its own, as in a real chain. */
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

function ours(count: number, kind: Kind): Run {
  const make = (): AnyMiddleware =>
    kind === 'async'
      ? async (context, next) => await next(context)
      : (context, next) => next(context);
  const handler = kind !== 'synchronous' ? async () => response : () => response;
  const chain = compose(times(count, make), handler, route);
  return () => chain({ request, route, params: {} } as Context);
}

/** The recursive chain without any check: the least that it can cost. */
function bare(count: number, kind: Kind): Run {
  const make = () =>
    kind === 'async'
      ? async (context: Foreign, next: Foreign) => await next(context)
      : (context: Foreign, next: Foreign) => next(context);
  const chain = times(count, make).reduceRight<Foreign>(
    (next, one) => (context: Foreign) => one(context, next),
    kind !== 'synchronous' ? async () => response : () => response,
  );
  return () => chain({ request, route, params: {} });
}

function koa(count: number, kind: Kind): Run {
  const make = () =>
    kind === 'async'
      ? async (_: Foreign, next: Foreign) => await next()
      : (_: Foreign, next: Foreign) => next();
  const chain = composeKoa<Foreign>([
    ...times(count, make),
    kind !== 'synchronous'
      ? async (context: Foreign) => {
          context.body = response;
        }
      : (context: Foreign) => {
          context.body = response;
        },
  ]);
  return () => chain({ request, route, params: {}, body: null });
}

function hono(count: number, kind: Kind): Run {
  const make = () =>
    kind === 'async'
      ? async (_: Foreign, next: Foreign) => await next()
      : (_: Foreign, next: Foreign) => next();
  const elements = [
    ...times(count, make),
    kind !== 'synchronous' ? async () => response : () => response,
  ];
  const chain = composeHono(elements.map((one) => [[one, undefined], undefined]) as Foreign);
  return () => chain({ request, req: { routeIndex: 0 }, finalized: false, res: null } as Foreign);
}

/** Bytes allocated for one request that answers at once. */
function allocated(run: Run): number {
  for (let count = 0; count < RUNS; count++) run();
  const count = 2_000;
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < count; index++) run();
  return (process.memoryUsage().heapUsed - before) / count;
}

const KINDS: readonly Kind[] = ['synchronous', 'synchronous before an async handler', 'async'];
for (const kind of KINDS) {
  const contestants = {
    'Seeother, 10': ours(10, kind),
    'Seeother, 0': ours(0, kind),
    'bare recursion, 10': bare(10, kind),
    'koa-compose, 3': koa(3, kind),
    'koa-compose, 10': koa(10, kind),
    'Hono compose, 3': hono(3, kind),
    'Hono compose, 10': hono(10, kind),
  };
  const times = await measureInTurn(contestants, { rounds: ROUNDS, runs: RUNS });
  const nanoseconds = times.map(([name, time]) => [name, time * 1_000] as const);
  const head = [`${kind}: library, middleware`, 'CPU ns per request', 'ratio'];
  process.stdout.write(`\n${toTable(head, withRatios(nanoseconds, 'Seeother, 10', 0))}`);
}

const bytes = [0, 10, 30].map((count) => {
  const samples = Array.from({ length: 7 }, () => allocated(ours(count, 'synchronous')));
  return [`Seeother, ${count}`, median(samples).toFixed(0)];
});
const head = ['synchronous: library, middleware', 'bytes allocated per request'];
process.stdout.write(`\n${toTable(head, bytes)}`);
