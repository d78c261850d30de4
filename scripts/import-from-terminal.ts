/**
 * Imports a file from the terminal, as the site does: a plan, then steps that each write some rows once. A file
 * that the same person began to import goes on where it was stopped, here or in a running application.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../application/database/kysely.ts';
import { lockRows } from '../application/database/locks.ts';
import { createImports } from '../application/imports/import-model.ts';
import { type Counts, createSummary, planFile } from '../application/imports/plan-file.ts';
import type { RefusedRow } from '../application/imports/read-rows.ts';
import { createItems } from '../application/items/item.ts';
import { describeProgress, endProgress, showProgress } from './terminal-progress.ts';

export interface Imported {
  readonly counts: Counts;
  readonly refused: readonly RefusedRow[];
  /** Why it was stopped, or empty. */
  readonly problem: string;
}

/** Without an author it only plans, and writes nothing. */
export async function importFromTerminal(
  database: Database,
  file: string,
  author: number | null,
): Promise<Imported> {
  try {
    return author === null ? await planOnly(database, file) : await run(database, file, author);
  } finally {
    endProgress();
  }
}

async function planOnly(database: Database, file: string): Promise<Imported> {
  const { counts, preview, add } = createSummary();
  for await (const rows of planFile(database.read, createReadStream(file))) {
    add(rows);
    showRead(counts);
  }
  return { counts, refused: preview.refused, problem: '' };
}

async function run(database: Database, file: string, author: number): Promise<Imported> {
  const imports = createImports(database, createItems(database));
  const sha256 = await hashFile(file);
  const begun = await imports.findSameFile(sha256, author, 'running');
  const id = begun?.id ?? (await plan());
  const holder = randomUUID();
  const find = async () => {
    const found = await imports.find(id, author);
    if (found === null) throw new Error(`Cannot find the import ${id} any more.`);
    return found;
  };
  for (let result = 'more'; result !== 'over'; ) {
    result = await imports.step(id, holder);
    const { planned, done } = await find();
    showProgress(describeProgress(done.rows, planned.create + planned.change));
    // The application, or this command in another terminal, is importing it.
    if (result === 'busy') await sleep(1_000);
  }
  const { planned, done, preview, refusals, problem } = await find();
  const { created: create, changed: change, left } = done;
  const counts = { create, change, same: planned.same, refuse: planned.refuse + left };
  return { counts, refused: [...preview.refused, ...refusals], problem };

  async function plan(): Promise<number> {
    const chunks = createReadStream(file);
    const planned = await imports.plan({ name: basename(file), sha256, chunks }, author, showRead);
    const winner = await database.write(async (transaction) => {
      // Of two commands at once, the second one joins the first.
      await lockRows(transaction, 'accounts', [author]);
      const other = await imports.findSameFile(sha256, author, 'running', transaction);
      if (other !== null) return other.id;
      await imports.publish(transaction, planned, author);
      const { planHash } = (await imports.find(planned, author, transaction)) ?? { planHash: '' };
      await imports.confirm(transaction, planned, author, planHash);
      return planned;
    });
    if (winner !== planned) await imports.remove(planned);
    return winner;
  }
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

function showRead({ create, change, same, refuse }: Counts): void {
  showProgress(`${create + change + same + refuse} rows read`);
}
