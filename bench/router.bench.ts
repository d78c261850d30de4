/**
 * Looks up paths in the same tables with each router, by turns, and prints the median of the rounds
 * in nanoseconds a look-up; beside it the time to make the router and the memory it takes.
 */

import { githubTable, growingTable, type Table } from './route-tables.ts';
import { type Contender, contenders } from './routers.ts';

const ROUNDS = 21;
/** Look-ups in a round, of every router and kind. */
const LOOKUPS = 10_240;

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

/** Nanoseconds a look-up. */
function time(find: Made['find'], paths: readonly string[]): number {
  let found = 0;
  const start = process.hrtime.bigint();
  for (let done = 0; done < LOOKUPS; done += paths.length) {
    for (let at = 0; at < paths.length; at++) if (find(paths[at] as string)) found++;
  }
  const elapsed = Number(process.hrtime.bigint() - start);
  return found < 0 ? 0 : elapsed / LOOKUPS;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function run(table: Table): void {
  const made = contenders.map((contender) => make(contender, table)).filter((one) => one !== null);
  const lines = table.lookups.map(({ kind, paths }) => {
    const times = made.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, { find }] of made.entries()) times[at]?.push(time(find, paths));
    }
    return row([kind, ...times.map((list) => median(list).toFixed(0))]);
  });
  process.stdout.write(
    `\n### ${table.name}\n\n${[
      row(['ns per look-up', ...made.map(({ name }) => name)]),
      row(['---', ...made.map(() => '--:')]),
      ...lines,
      row(['build time, ms', ...made.map(({ milliseconds }) => milliseconds.toFixed(1))]),
      row([
        'bytes per route',
        ...made.map(({ bytes }) => (bytes / table.routes.length).toFixed(0)),
      ]),
    ].join('\n')}\n`,
  );
  kept.length = 0;
}

const only = process.argv[2];
for (const table of tables) if (only === undefined || table.name.includes(only)) run(table);
