/** A database with an account, and imports of texts into it, for tests. */
import { createHash, randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { Database } from '../database/kysely.ts';
import { type Choices, createImports } from '../imports/import-model.ts';
import type { Import } from '../imports/import-row.ts';
import type { Choice } from '../imports/import-step.ts';
import { createHistory } from '../items/events/item-events.ts';
import { itemsCsv } from '../items/export/csv.ts';
import { createItemExport } from '../items/export/item-export.ts';
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
) {
  const database = await openTestDatabase(t, engine);
  await addAccount(database, ADA, 'ada', { role });
  const items = createItems(database);
  const imports = createImports(database, items);

  /** Resolves to the import with its preview. */
  async function plan(file: string | Uint8Array, author = ADA, currency = 'EUR'): Promise<Import> {
    const sha256 = createHash('sha256').update(file).digest('hex');
    const source = { name: 'things.csv', sha256, chunks: () => bytesOf(file) };
    const read = await imports.read(source, author, { chooseUses: ({ uses }) => uses, currency });
    await database.write((transaction) => imports.publish(transaction, read, author));
    return find(read.id, author);
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
    ...{ database, items, imports, plan, find, confirm, runAll },
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
