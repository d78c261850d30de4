/** A database with an account, and imports of texts into it, for tests. */
import { createHash, randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { createMemoryStores } from 'seeother';
import { createStores } from 'seeother/database';
import type { FileStore } from 'seeother/files';
import type { Database } from '../database/kysely.ts';
import { type Choices, createImports } from '../imports/import-model.ts';
import type { Import } from '../imports/import-row.ts';
import type { Choice } from '../imports/import-step.ts';
import { createHistory } from '../items/events/item-events.ts';
import { itemsCsv } from '../items/export/csv.ts';
import { createItemExport } from '../items/export/item-export.ts';
import type { MakeLater } from '../items/files/change-files.ts';
import { createItems } from '../items/item.ts';
import { ALL_ITEMS } from '../items/item-query.ts';
import { referencesOf } from '../items/item-sources.ts';
import type { Role } from '../settings/role.ts';
import { addAccount, openTestDatabase } from './open-test-database.ts';
import { bytesOf } from './read-whole-table.ts';

export const ADA = 1;

export async function openImport(
  t: TestContext,
  engine?: Database['engine'],
  role: Role = 'member',
  fileStore: FileStore = createMemoryStores().files.bytes,
) {
  const database = await openTestDatabase(t, engine);
  await addAccount(database, ADA, 'ada', { role });
  const items = createItems(database);
  const { files } = createStores(database.door, { fileStore });
  let makeLater: MakeLater = null;
  const imports = createImports(database, items, { files, makeLater: () => makeLater });

  /** Resolves to the import with its preview. */
  async function plan(file: string | Uint8Array, author = ADA, currency = 'EUR'): Promise<Import> {
    const sha256 = createHash('sha256').update(file).digest('hex');
    const source = { name: 'things.csv', sha256, chunks: () => bytesOf(file) };
    const read = await imports.read(source, author, { chooseUses: ({ uses }) => uses, currency });
    await database.write((transaction) => imports.publish(transaction, read, author));
    return find(read.id, author);
  }

  /** The same with a zip, or with a zip alone. */
  async function planPhotos(zip: Uint8Array, file: string | null = null): Promise<Import> {
    const sha256 = createHash('sha256')
      .update(file ?? '')
      .digest('hex');
    const source =
      file === null ? null : { name: 'things.csv', sha256, chunks: () => bytesOf(file) };
    const sent = await files.add({ name: 'photos.zip', type: 'application/zip' }, bytesOf(zip));
    const read = await imports.read(source, ADA, { chooseUses: ({ uses }) => uses, zip: sent });
    await database.write((transaction) => imports.publish(transaction, read, ADA));
    return find(read.id);
  }

  async function find(id: number, author = ADA): Promise<Import> {
    const found = await imports.find(id, author);
    if (found === null) throw new Error(`There is no import ${id}.`);
    return found;
  }

  function confirm({ id, planHash }: Import, author = ADA, choices?: Choices) {
    return database.write((transaction) =>
      imports.confirm(transaction, id, author, planHash, choices),
    );
  }

  /** Resolves to the import at its end. */
  async function runAll({ id }: Import): Promise<Import> {
    const holder = randomUUID();
    while ((await imports.step(id, holder)) === 'more');
    return find(id);
  }

  return {
    ...{ database, items, imports, files, plan, planPhotos, find, confirm, runAll },
    setMakeLater(make: MakeLater): void {
      makeLater = make;
    },
    /** Plans, confirms and runs. */
    async loadPhotos(zip: Uint8Array, file: string | null = null): Promise<Import> {
      const planned = await planPhotos(zip, file);
      await confirm(planned);
      return runAll(planned);
    },
    /** The names of the files of each item, in their order. */
    async photos(): Promise<Readonly<Record<number, readonly string[]>>> {
      const rows = await database.read
        .selectFrom('item_files')
        .select(['item_number as number', 'name'])
        .where('removed_at', 'is', null)
        .orderBy('position')
        .execute();
      const byItem = Map.groupBy(rows, ({ number }) => number);
      return Object.fromEntries(
        [...byItem].map(([number, own]) => [number, own.map(({ name }) => name)]),
      );
    },
    history: createHistory(database),
    /** All items as a CSV file. */
    async save(): Promise<string> {
      const batches = await createItemExport(database)({ ...ALL_ITEMS, order: 'oldest' });
      const { body } = await itemsCsv(batches, {
        findReferences: (all) => referencesOf(database.read, all),
        definitions: await items.definitions.read(),
        valuesOf: items.valuesOf,
      });
      return new Response(body).text();
    },
    /** Plans, confirms and runs. */
    async load(
      file: string | Uint8Array,
      here: Choice = 'leave',
      asked: Choice | null = null,
    ): Promise<Import> {
      const planned = await plan(file);
      await confirm(planned, ADA, { here, asked });
      return runAll(planned);
    },
  };
}
