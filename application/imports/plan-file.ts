/**
 * Plans the import of a file: reads its rows in pieces, compares them with the items, and collects what the
 * preview shows. Nothing is written here.
 */
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { type Changes, changedFields } from '../items/events/item-changes.ts';
import type { ItemInput } from '../items/item-rows.ts';
import { type ChangeRow, type CreateRow, type PlannedRow, planRows } from './plan-rows.ts';
import { type ReadRow, type RefusedRow, readRows } from './read-rows.ts';

/** Rows in a piece. Its items are later written in one transaction, while other writers wait. */
export const PIECE = 50;

/** Rejects with an `ImportRefused` for a file that is no table of items. */
export async function* planFile(
  read: Kysely<Schema>,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly PlannedRow[]> {
  let piece: (ReadRow | RefusedRow)[] = [];
  for await (const row of readRows(chunks)) {
    piece.push(row);
    if (piece.length < PIECE) continue;
    yield await planRows(read, piece);
    piece = [];
    // SQLite never yields by itself: without this, a large file would block the event loop.
    await setImmediate();
  }
  if (piece.length > 0) yield await planRows(read, piece);
}

export type Counts = { readonly [Kind in PlannedRow['kind']]: number };

/** The first rows of each kind, with long texts cut. */
export interface Preview {
  readonly refused: readonly RefusedRow[];
  readonly changed: readonly Omit<ChangeRow, 'kind' | 'version'>[];
  readonly created: readonly Omit<CreateRow, 'kind'>[];
}

/** Rows of each kind in a preview. */
export const MAX_SHOWN = 200;

/** Counts rows, and collects the first of each kind. */
export function createSummary() {
  const counts = { create: 0, change: 0, same: 0, refuse: 0 };
  const refused: RefusedRow[] = [];
  const changed: Preview['changed'][number][] = [];
  const created: Preview['created'][number][] = [];
  return {
    counts: counts as Counts,
    preview: { refused, changed, created } as Preview,
    add(rows: readonly PlannedRow[]): void {
      for (const row of rows) {
        if (++counts[row.kind] > MAX_SHOWN) continue;
        const { line } = row;
        if (row.kind === 'refuse') refused.push({ line, problem: row.problem });
        if (row.kind === 'create') created.push({ line, input: cutInput(row.input) });
        if (row.kind === 'change') {
          const { number, name, changes } = row;
          changed.push({ line, number, name, changes: cutChanges(changes) });
        }
      }
    },
  };
}

/** More than a page shows of a text, so that the page still marks the text as cut. */
const MAX_TEXT = 700;

function cut<T>(value: T): T {
  return typeof value === 'string' ? (value.slice(0, MAX_TEXT).toWellFormed() as T) : value;
}

function cutInput(input: ItemInput): ItemInput {
  return { ...input, description: cut(input.description) };
}

function cutChanges(changes: Changes): Changes {
  return Object.fromEntries(
    changedFields(changes).map((name) => [name, (changes[name] ?? []).map(cut)]),
  );
}
