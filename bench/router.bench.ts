/**
 * Looks up paths in the same tables with each router, by turns, and prints the median of the rounds
 * in nanoseconds a look-up; beside it the time to make the router and the memory it takes.
 */

import { toTable } from './markdown-table.ts';
import { measureInTurn, type Run } from './measure-in-turn.ts';
import { githubTable, growingTable, type Table } from './route-tables.ts';
import { type Contender, contenders } from './routers.ts';

const ROUNDS = 21;
/** In a round, each of all paths of a kind. */
const RUNS = 20;

const tables: readonly Table[] = [
  ...[10, 100, 1_000, 10_000].map((size) => growingTable(size)),
  ...[10, 10_000].map((size) => growingTable(size, '<int>')),
  githubTable(),
];

interface Made {
  readonly name: string;
  readonly find: (path: string) => unknown;
  readonly milliseconds: number;
  readonly bytes: number;
}

function usedBytes(): number {
  for (let turn = 0; turn < 3; turn++) globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function make({ name, make }: Contender, { routes, lookups }: Table): Made | null {
  const start = performance.now();
  const find = make(routes);
  if (find === null) return null;
  // Some are made when the first path is looked up.
  const path = lookups[0]?.paths[0] ?? '/';
  find(path);
  const milliseconds = performance.now() - start;
  // A second one beside the first shows what it takes by itself, without what both share.
  const before = usedBytes();
  const second = make(routes);
  second?.(path);
  const bytes = usedBytes() - before;
  kept.push(second);
  return { name, find, milliseconds, bytes };
}

const kept: unknown[] = [];

/** What is found is counted, so that no look-up is left out by the compiler. */
function countFound(find: Made['find'], paths: readonly string[]): number {
  let found = 0;
  for (const path of paths) if (find(path)) found++;
  return found;
}

async function run(table: Table): Promise<void> {
  const made = contenders.map((contender) => make(contender, table)).filter((one) => one !== null);
  const rows: (readonly string[])[] = [];
  for (const { kind, paths } of table.lookups) {
    const finders = made.map(({ name, find }): [string, Run] => [
      name,
      () => countFound(find, paths),
    ]);
    const times = await measureInTurn(Object.fromEntries(finders), { rounds: ROUNDS, runs: RUNS });
    rows.push([kind, ...times.map(([, time]) => ((time / paths.length) * 1_000).toFixed(0))]);
  }
  rows.push(
    ['build time, ms', ...made.map(({ milliseconds }) => milliseconds.toFixed(1))],
    ['bytes per route', ...made.map(({ bytes }) => (bytes / table.routes.length).toFixed(0))],
  );
  const head = ['ns per look-up', ...made.map(({ name }) => name)];
  process.stdout.write(`\n### ${table.name}\n\n${toTable(head, rows)}`);
  kept.length = 0;
}

const only = process.argv[2];
for (const table of tables) if (only === undefined || table.name.includes(only)) await run(table);
