/**
 * Sixty searches as people type them, each with the item that should be first, among 1,000 and 300,000 others: which
 * are found, and the CPU time of the slowest. Newer items mention the same words in their descriptions.
 *
 *     node_modules/.bin/node bench/searches.ts [sqlite|postgres] [size…]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../application/database/kysely.ts';
import { openDatabase } from '../application/database/open-database.ts';
import { createItems } from '../application/items/item.ts';
import type { NewItem } from '../application/items/item-rows.ts';
import { lendItem } from '../application/items/lend/lend-item.ts';
import { fillItems } from '../application/testing/fill-items.ts';
import { createPostgresDatabase, runSql } from '../application/testing/postgres/cluster.ts';
import { readCpu, serversOf } from './read-cpu.ts';

const [, , engine = 'sqlite', ...sizes] = process.argv;
const SIZES = sizes.length === 0 ? [1_000, 300_000] : sizes.map(Number);

/** The thing, who has it, and what people type to find it. */
const THINGS: readonly (readonly [NewItem & { readonly to?: string }, ...string[]])[] = [
  [{ name: 'Akkuschrauber Bosch' }, 'akkuschr', 'bosch', 'schrauber', 'akkuschraber'],
  [{ name: 'Akku\u00adbohrer' }, 'akku', 'akkubohrer', 'AKKU\u00adBOHRER'],
  [{ name: 'Bohrmaschine', location: 'Werkstatt, Regal 2' }, 'Werkstatt, Regal 2', 'bohr regal'],
  [{ name: 'Stichsäge', location: 'Werkstatt, Regal 12' }, 'regal 12', 'stichsage', 'stichsaege'],
  [{ name: 'USB-C Kabel 3 m' }, 'usbc', 'usb-c', 'usb c', 'usb‑c kabel'],
  [{ name: 'Schrauben M8×30' }, 'm8x30', 'M8×30', 'm8 x 30', '8x30', 'm8'],
  [{ name: 'Rohr 10mm' }, '10 mm', '10mm', 'rohr 10 mm', '１０ mm'],
  [{ name: 'Schlauch 25 mm' }, '25mm', '25 mm', 'schlauch 25mm'],
  [{ name: 'Hammer 🔨' }, '🔨', 'hammer🔨'],
  [{ name: 'Buch über C++' }, 'c++', 'C++ buch'],
  [{ name: 'Buch über C#' }, 'c#'],
  [{ name: 'Wi-Fi Router' }, 'wifi', 'wi-fi'],
  [{ name: 'Leiter', to: 'Jürgen Müller' }, 'jürgen müller', 'muller leiter', 'jurgen'],
  [{ name: 'Beamer', to: 'Anneliese' }, 'anneliese', 'anne beamer'],
  [{ name: 'Waage', serial: 'SN-99-77' }, 'sn-99', 'SN9977', 'waage sn'],
  [{ name: 'کتاب علی' }, 'كتاب', 'علي', 'عَلِي'],
  [{ name: 'جعبه ۱۷۷۱' }, '1771', '١٧٧١'],
  [{ name: 'Straßenschild' }, 'strassen', 'STRASSENSCHILD'],
  [{ name: 'Ölkanne', tags: ['grün'] }, 'olkanne', 'oelkanne', 'grun kanne'],
  [{ name: 'ＦＡＸ Gerät' }, 'fax', 'fax gerat', 'fax geraet'],
  [{ name: 'Zoll ½' }, '1/2 zoll', '½'],
  [{ name: 'Preisschild 5 €' }, '5€', '€'],
];

const SEARCHES = THINGS.flatMap(([{ name }, ...typed]) =>
  typed.map((search) => ({ search, name })),
);

async function fill(database: Database, size: number): Promise<void> {
  await fillItems(database, size);
  const items = createItems(database);
  await database.write(async (transaction) => {
    await transaction
      .insertInto('accounts')
      .values({ id: 1, username: 'ada', username_key: 'ada', password_hash: '', created_at: '' })
      .execute();
    for (const [{ to, ...thing }] of THINGS) {
      const number = await items.add(transaction, thing, 1);
      if (to !== undefined) await lendItem(transaction, number, { to, until: null }, 1);
    }
    for (let copy = 0; copy < 30; copy++)
      for (const [{ name }] of THINGS)
        await items.add(transaction, { name: 'Zubehör', description: `passt zu: ${name}` }, 1);
  });
}

for (const size of SIZES) {
  const folder = mkdtempSync(join(tmpdir(), 'searches-'));
  const { url, drop } =
    engine === 'postgres'
      ? await createPostgresDatabase()
      : { url: `sqlite:${join(folder, 'a.db')}`, drop: async () => {} };
  const database = await openDatabase(url, { timeout: 600_000 });
  await fill(database, size);
  if (engine === 'postgres') await runSql(url, 'vacuum analyze');
  const items = createItems(database);
  const times: { readonly search: string; readonly ms: number }[] = [];
  const wrong: string[] = [];
  for (const { search, name } of SEARCHES) {
    const list = () => items.list(1, { search, seesBorrowers: true });
    const { items: found, suggestion } = await list();
    if (found[0]?.name !== name && suggestion === undefined)
      wrong.push(`${search}: ${found[0]?.name ?? 'nothing'}`);
    const servers = await serversOf(database);
    const rounds: number[] = [];
    for (let round = 0; round < 7; round++) {
      const start = readCpu(servers);
      await list();
      rounds.push(readCpu(servers) - start);
    }
    times.push({ search, ms: Math.min(...rounds) });
  }
  times.sort((one, other) => other.ms - one.ms);
  const [slowest] = times;
  const median = times[times.length >> 1];
  process.stdout.write(
    `${engine}, ${size} items: ${SEARCHES.length - wrong.length} of ${SEARCHES.length} right; slowest ${slowest?.ms.toFixed(1)} ms of CPU (${slowest?.search}), median ${median?.ms.toFixed(1)} ms\n`,
  );
  for (const line of wrong) process.stdout.write(`  ${line}\n`);
  await database.close();
  await drop();
  rmSync(folder, { recursive: true, force: true });
}
