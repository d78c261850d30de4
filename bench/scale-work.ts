/**
 * Measures work on a whole collection, or on much of it, with 1,000, 100,000 and 1,000,000 items on SQLite or, with the
 * argument `postgres`, with at most 300,000 on the PostgreSQL server of the tests: the start, the export of all items,
 * and an import of 20,000 rows and its undo. Each size has a process of its own, so that its memory can be told.
 * Further arguments are other sizes.
 */
import { spawnSync } from 'node:child_process';
import type { Database } from '../application/database/kysely.ts';
import { openDatabase } from '../application/database/open-database.ts';
import { createImports } from '../application/imports/import-model.ts';
import { itemsCsv } from '../application/items/export/csv.ts';
import { createItemExport } from '../application/items/export/item-export.ts';
import { createUndoRest, undoBatch } from '../application/items/history/undo-batch.ts';
import { createItems } from '../application/items/item.ts';
import { ALL_ITEMS } from '../application/items/item-query.ts';
import { referencesOf } from '../application/items/item-sources.ts';
import { createTestDatabase } from '../application/testing/create-test-database.ts';
import { fillItems, sampleItem } from '../application/testing/fill-items.ts';
import { runSql } from '../application/testing/postgres/cluster.ts';
import { toTable } from './markdown-table.ts';

type Engine = Database['engine'];

const ROWS = 20_000;
const ADA = 1;
/** Longer than any step. */
const MAX_TIME = 600_000;

/** In milliseconds: of CPU on SQLite, of the clock on PostgreSQL, which works in other processes. Memory is in MB. */
type Costs = Readonly<Record<string, number>>;

async function timed<T>(
  engine: Engine,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly cost: number }> {
  const before = process.cpuUsage();
  const start = performance.now();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return {
    result,
    cost: engine === 'sqlite' ? (user + system) / 1_000 : performance.now() - start,
  };
}

async function measure(engine: Engine, size: number): Promise<Costs> {
  const { url, drop } = await createTestDatabase(engine);
  const open = () => openDatabase(url, { timeout: MAX_TIME });
  try {
    await fill(await open(), size);
    if (engine === 'postgres') await runSql(url, 'vacuum analyze');
    const { result: database, cost: start } = await timed(engine, open);
    try {
      const { cost: exported, result: memory } = await timed(engine, () => exportAll(database));
      return {
        start,
        'export of all': exported,
        'memory of the export, MB': memory,
        ...(await importRows(database)),
      };
    } finally {
      await database.close();
    }
  } finally {
    await drop();
  }
}

async function fill(database: Database, size: number): Promise<void> {
  await fillItems(database, size);
  const at = new Date().toISOString();
  const ada = { id: ADA, username: 'ada', username_key: 'ada', password_hash: 'none' };
  await database.write((transaction) =>
    transaction
      .insertInto('accounts')
      .values({ ...ada, created_at: at })
      .execute(),
  );
  await database.close();
}

/** Resolves to the most memory that it has held, above what the process had before. */
async function exportAll(database: Database): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const batches = await createItemExport(database)(ALL_ITEMS);
  const { body } = await itemsCsv(batches, {
    findReferences: (items) => referencesOf(database.read, items),
  });
  for await (const _ of body as AsyncIterable<Uint8Array>) {
    most = Math.max(most, process.memoryUsage.rss());
  }
  return (most - before) / 2 ** 20;
}

async function importRows(database: Database): Promise<Costs> {
  const imports = createImports(database, createItems(database));
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const { name, description, location } = sampleItem(at + 10_000_000);
    return `${name},"${description}",3,"${location}",N-${at}\r\n`;
  });
  const file = Buffer.from(
    `Name,Description,Quantity,Location,Inventory number\r\n${rows.join('')}`,
  );
  async function* chunks() {
    yield file;
  }
  const source = { name: 'things.csv', sha256: 'none', chunks };
  const plan = async () => {
    const read = await imports.read(source, ADA, { chooseUses: ({ uses }) => uses });
    await database.write((transaction) => imports.publish(transaction, read, ADA));
    return read;
  };
  const { engine } = database;
  const { cost: planned, result } = await timed(engine, plan);
  const carried = await timed(engine, async () => {
    await database.write((transaction) =>
      imports.confirm(transaction, result.id, ADA, result.plan?.hash ?? ''),
    );
    while ((await imports.step(result.id, 'scale')) === 'more');
  });
  const { cost: again } = await timed(engine, plan);
  const undone = await timed(engine, async () => {
    const begun = await database.write((transaction) => undoBatch(transaction, 1, ADA));
    return createUndoRest(database, MAX_TIME)(1, ADA, begun);
  });
  if (undone.result.undone !== ROWS) throw new Error(`Only ${undone.result.undone} were undone.`);
  return {
    [`plan of ${ROWS} rows`]: planned,
    'the import of them': carried.cost,
    'plan of the same file': again,
    'undo of the import': undone.cost,
  };
}

const [, program = '', ...args] = process.argv;
const engine = args.includes('postgres') ? 'postgres' : 'sqlite';
const given = args.map(Number).filter((size) => size > 0);
if (args[0] === '--one') process.stdout.write(JSON.stringify(await measure(engine, given[0] ?? 0)));
else {
  const most = engine === 'postgres' ? 300_000 : 1_000_000;
  const sizes = given.length === 0 ? [1_000, 100_000, most] : given;
  const costs = sizes.map((size): Costs => {
    const { stdout } = spawnSync(process.execPath, [program, '--one', engine, `${size}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return JSON.parse(stdout);
  });
  const heads = sizes.map((size) => size.toLocaleString('en-GB'));
  const unit = engine === 'postgres' ? 'wall' : 'cpu';
  const growth = (sizes.at(-1) ?? 1) / (sizes[0] ?? 1);
  const rows = Object.keys(costs[0] ?? {}).map((name) => {
    const all = costs.map((one) => one[name] ?? Number.NaN);
    const exponent = Math.log((all.at(-1) ?? 1) / (all[0] ?? 1)) / Math.log(growth);
    return [name, ...all.map((value) => value.toFixed(0)), exponent.toFixed(2)];
  });
  process.stdout.write(toTable([`${engine}, ms ${unit}`, ...heads, 'exponent'], rows));
}
