/**
 * Measures pages with 1,000, 100,000 and 1,000,000 items: complete responses of the application
 * without a socket, on SQLite files or, with the argument `postgres`, on the PostgreSQL server of
 * the tests with at most 300,000. It requests each page from all sizes in turn, so that other load of
 * the machine affects all equally. Each item has two events in its history, and one in 20 was deleted.
 * A second argument chooses pages whose names contain it, and further ones are other sizes.
 *
 * PostgreSQL runs in other processes, whose CPU time is counted too; older tables in scale.md have
 * the elapsed time.
 */
import { bodyText, createVisitor, type Visitor } from 'seeother/testing';
import { createDatabase, type Database } from '../application/database/kysely.ts';
import { openDatabase } from '../application/database/open-database.ts';
import { createModels } from '../application/models.ts';
import { readConfig } from '../application/settings/config.ts';
import { createTestDatabase } from '../application/testing/create-test-database.ts';
import { fillHistory } from '../application/testing/fill-history.ts';
import { fillItems } from '../application/testing/fill-items.ts';
import { fillOwnFields } from '../application/testing/fill-own-fields.ts';
import { runSql } from '../application/testing/postgres/cluster.ts';
import { createIdleApplication } from '../scripts/create-idle-application.ts';
import { toTable } from './markdown-table.ts';
import { readCpu, serversOf } from './read-cpu.ts';
import { median } from './servers/harness/statistics.ts';

const [, , asked, chosen = '', ...sizes] = process.argv;
const engine = asked === 'postgres' ? asked : 'sqlite';
const SIZES =
  sizes.length > 0
    ? sizes.map(Number)
    : [1_000, 100_000, engine === 'postgres' ? 300_000 : 1_000_000];
const ROUNDS = 15;
/** Milliseconds that a measurement takes at least, or one request. */
const LONG_ENOUGH = 20;

/**
 * What is asked for, by the number of items. Each list without a filter has 20 items on the page in every size,
 * or the sizes could not be compared.
 */
const PAGES: Readonly<Record<string, (size: number) => string>> = {
  'list, first page': () => '/items',
  'list, middle page': (size) => `/items?page=${size / 40}`,
  'list, last full page': (size) => `/items?page=${Math.floor((size * 0.95) / 20)}`,
  'list by name, first page': () => '/items?sort=name',
  'list by name, page 40': () => '/items?sort=name&page=40',
  'one item': (size) => `/items/${size / 2 + 1}`,
  'item, as a member': (size) => `/items/${size / 2 + 1}`,
  'history of an item, as a member': (size) => `/items/${size / 2 + 1}/history`,
  'history of the team, as a member': () => '/items/history',
  'history of the team, from the middle, as a member': (size) => `/items/history?before=${size}`,
  'bin, as a member': () => '/items/bin',
  'item that was deleted': () => '/items/500',
  'item that is not there': (size) => `/items/${size + 1}`,
  'search, a word in every item': () => '/items?q=thing',
  'search, a word in one of six': () => '/items?q=drill',
  'search, both': () => '/items?q=thing+drill',
  'search, two frequent words, never together': () => '/items?q=battery+lamp',
  'search, a word in one of 50,000': () => '/items?q=rare',
  'search, inside a word of one of six': () => '/items?q=rojector',
  'search, a word in none': () => '/items?q=xylophone',
  'tag of one item in three': () => '/items?tag=tools',
  'tag of 34 items': () => '/items?tag=batch+3',
  'tag of one item in three, page 400': () => '/items?tag=tools&page=400',
  'location with 90 inside it': () => '/items?location=office',
  'location with 90 inside it, page 400': () => '/items?location=office&page=400',
  location: () => '/items?location=Office%2C+shelf+0',
  'tag, and a word in every item': () => '/items?tag=tools&q=thing',
  'lent, one in 1,000': () => '/items?show=lent',
  'own field: a choice of one in three': () => '/items?own_1=c1',
  'own field: a choice of one in three, by price': () => '/items?own_1=c1&sort=own_2',
  'own field: a range of prices, by price': () => '/items?own_2_from=20000&sort=own_2',
  'own field: a range of prices': () => '/items?own_2_from=20000',
  'own field: a kind of one in 50, by price': () => '/items?kind=1&sort=own_2',
  'own field: a choice, and a range, by price': () =>
    '/items?own_1=c1&own_2_from=20000&own_2_to=60000&sort=own_2',
  'own field: a choice, and a tag': () => '/items?own_1=c1&tag=tools',
  'own field: a narrow range, by price': () => '/items?own_2_from=20000&own_2_to=20100&sort=own_2',
  'own field: things without a price': () => '/items?own_2_how=empty',
  'own field: all by price': () => '/items?sort=own_2',
  'own field: all by price, page 40': () => '/items?sort=own_2&page=40',
  'own field: a kind of one in 50': () => '/items?kind=1',
  'running low, and a word in one of six': () => '/items?show=low&q=drill',
};

interface Site {
  readonly size: number;
  readonly database: Database;
  readonly visitor: Visitor;
  readonly member: Visitor;
  readonly close: () => Promise<void>;
}

async function open(size: number): Promise<Site> {
  const { url, drop } = await createTestDatabase(engine);
  // PostgreSQL takes long to analyze a million items.
  const { door } = await openDatabase(url, { timeout: 600_000 });
  // Nothing is cached, as after a commit: neither fragments, see below, nor the rows that SQLite would give again.
  const database = createDatabase({ ...door, cachedRead: door.read });
  process.stderr.write(`Adding ${size} items\n`);
  await fillItems(database, size, 3);
  await fillOwnFields(database);
  await fillHistory(database, size);
  // What autovacuum does, which is off in the tests: without it PostgreSQL looks up the rows of each index entry.
  if (engine === 'postgres') await runSql(url, 'vacuum analyze');
  const site = createSite(database);
  return {
    ...{ size, database },
    visitor: createVisitor(site),
    member: await register(createVisitor(site)),
    close: async () => {
      await database.close();
      await drop();
    },
  };
}

async function register(member: Visitor): Promise<Visitor> {
  await member.post('/register', { username: 'ada', password: 'correct horse battery' });
  return member;
}

function createSite(database: Database) {
  const models = createModels(database, { config: readConfig({}), logSecurity: () => {} });
  let requests = 0;
  // Each request sees another revision of the items.
  const items = { ...models.items, revision: () => String(requests++) };
  return createIdleApplication({ ...models, items }).application;
}

/** Resolves to milliseconds of CPU time a request. */
async function measure(
  { visitor, member, size, database }: Site,
  name: string,
  path: (size: number) => string,
): Promise<number> {
  const person = name.endsWith('as a member') ? member : visitor;
  const servers = await serversOf(database);
  const start = performance.now();
  const before = readCpu(servers);
  let count = 0;
  while (count === 0 || performance.now() - start < LONG_ENOUGH) {
    const answer = await person.get(path(size));
    bodyText(answer);
    if (answer.status >= 300 && !name.startsWith('item that'))
      throw new Error(`${name}: ${answer.status}`);
    count++;
  }
  return (readCpu(servers) - before) / count;
}

async function row(sites: readonly Site[], name: string, path: (size: number) => string) {
  const costs = sites.map(() => [] as number[]);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, site] of sites.entries()) {
      const cost = await measure(site, name, path);
      // The first round warms up.
      if (round > 0) costs[index]?.push(cost);
    }
  }
  const medians = costs.map(median);
  const ratio = (medians.at(-1) ?? Number.NaN) / (medians[0] ?? Number.NaN);
  // Of the growth: 0 for a constant, 1 for what grows as the items do.
  const exponent = Math.log(ratio) / Math.log((SIZES.at(-1) ?? 1) / (SIZES[0] ?? 1));
  return [...[...medians, ratio].map((value) => value.toFixed(2)), exponent.toFixed(3)];
}

const sites: Site[] = [];
try {
  for (const size of SIZES) sites.push(await open(size));
  const heads = SIZES.map((size) => size.toLocaleString('en-GB'));
  const rows: (readonly string[])[] = [];
  for (const [name, path] of Object.entries(PAGES)) {
    if (!name.includes(chosen)) continue;
    process.stderr.write(`${name}\n`);
    rows.push([name, ...(await row(sites, name, path))]);
  }
  process.stdout.write(toTable([`${engine}, ms cpu`, ...heads, 'ratio', 'exponent'], rows));
} finally {
  for (const site of sites) await site.close();
}
