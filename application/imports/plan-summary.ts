/** Counts the rows of a plan, and collects what the preview shows: a few rows of each kind, with long texts cut. */
import { type Changes, recordedFields } from '../items/events/item-changes.ts';
import { type CellNote, describeNote } from './cell-note.ts';
import type { PlannedRow } from './plan-rows.ts';
import type { PlannedPiece } from './plan-table.ts';

export type Counts = { readonly [Kind in PlannedRow['kind']]: number };

/** A row of the file in a preview. */
export interface Shown {
  readonly line: number;
  readonly name: string;
}

/** A row that was left out, and why. */
export interface LeftOut extends Shown {
  readonly problem: string;
  /** Whether it would be imported if somebody chose otherwise. */
  readonly isChoice?: true;
}

/** Rows that were left out for the same reason. `line` is that of the first. */
export interface Reason {
  readonly line: number;
  readonly problem: string;
  readonly count: number;
  /** The first ones. `cell` is the text that was refused; it may be empty. */
  readonly rows: readonly (Shown & { readonly cell: string })[];
}

/** What was read how in a column. */
export interface Notice {
  readonly column: string;
  /** In how many cells. */
  readonly count: number;
  /** The first different ones. */
  readonly examples: readonly Pick<CellNote, 'cell' | 'message'>[];
  readonly hasMore: boolean;
}

export interface ShownChange extends Shown {
  readonly number: number;
  /** The name that the item has now. */
  readonly was: string;
  readonly changes: Changes;
}

export interface Preview {
  readonly created: readonly Shown[];
  readonly changed: readonly ShownChange[];
  /** Rows that an update would change, and how many there are. */
  readonly here: readonly ShownChange[];
  readonly hereChanged: number;
  /** Rows of items that are here. */
  readonly known: readonly (Shown & { readonly number: number })[];
  /** Rows with the reference or the number of an item with another name. */
  readonly asked: readonly ShownChange[];
  /** Rows that say that there are fewer of an item than are lent, with who has these; and how many rows these are. */
  readonly lent: readonly (Shown & { readonly number: number; readonly who: string })[];
  readonly lentCount: number;
  readonly doubled: readonly (Shown & { readonly first: number })[];
  readonly refused: readonly Reason[];
  readonly notices: readonly Notice[];
}

/** Rows of each kind, reasons and notices in a preview; and rows of a reason. */
export const MAX_SHOWN = 100;
const MAX_OF_REASON = 5;
const MAX_EXAMPLES = 3;

/** While rows are added. */
type Growing<T> = {
  -readonly [Name in keyof T]: T[Name] extends readonly (infer One)[] ? One[] : T[Name];
};

/** Of an import without a plan. */
export function emptyPreview(): Growing<Preview> {
  return {
    ...{ created: [], changed: [], here: [], hereChanged: 0, known: [], asked: [], doubled: [] },
    ...{ lent: [], lentCount: 0, refused: [], notices: [] },
  };
}

export function createSummary() {
  const counts = { create: 0, change: 0, same: 0, here: 0, asked: 0, doubled: 0, refuse: 0 };
  const preview = emptyPreview();
  const reasons = new Map<string, Growing<Reason>>();
  const notices = new Map<string, Growing<Notice>>();

  function addRefused({ line, name, problems }: Shown & { problems: readonly CellNote[] }): void {
    const own = problems.map((one) => describeNote({ ...one, cell: '' })).join('; ');
    // Of many reasons, the last one stands for all others.
    const problem = reasons.size < MAX_SHOWN || reasons.has(own) ? own : OTHERS;
    const known = reasons.get(problem) ?? { line, problem, count: 0, rows: [] };
    known.count++;
    const cell = problems.length === 1 ? (problems[0]?.cell ?? '') : '';
    if (known.rows.length < MAX_OF_REASON) known.rows.push({ line, name: cutText(name), cell });
    reasons.set(problem, known);
  }

  function addNotice({ column, cell, message }: CellNote): void {
    const known = notices.get(column) ?? { column, count: 0, examples: [], hasMore: false };
    known.count++;
    notices.set(column, known);
    if (known.examples.some((one) => one.cell === cell)) return;
    if (known.examples.length < MAX_EXAMPLES) known.examples.push({ cell, message });
    else known.hasMore = true;
  }

  function addRow(row: PlannedRow): void {
    counts[row.kind]++;
    const { line, kind } = row;
    const name = cutText(row.name);
    const add = <Row>(rows: Row[], one: Row) => {
      if (rows.length < MAX_SHOWN) rows.push(one);
    };
    if (kind === 'create') add(preview.created, { line, name });
    if (kind === 'doubled') add(preview.doubled, { line, name, first: row.first });
    if (kind === 'refuse') addRefused(row);
    if (kind !== 'change' && kind !== 'here' && kind !== 'asked') return;
    const { number, was } = row;
    if (kind === 'here') add(preview.known, { line, name, number });
    if (row.lent !== undefined) {
      preview.lentCount++;
      add(preview.lent, { line, name: cutText(was), number, who: row.lent });
    }
    if (recordedFields(row.changes).length === 0) return;
    if (kind === 'here') preview.hereChanged++;
    const changes = cutChanges(row.changes);
    add(preview[kind === 'change' ? 'changed' : kind], { line, name, number, was, changes });
  }

  return {
    counts: counts as Counts,
    add({ rows, notices: own }: PlannedPiece): void {
      for (const row of rows) addRow(row);
      for (const notice of own) addNotice(notice);
    },
    toPreview: (): Preview => ({
      ...preview,
      refused: [...reasons.values()].sort((a, b) => b.count - a.count || a.line - b.line),
      notices: [...notices.values()],
    }),
  };
}

const OTHERS = 'For other reasons';

/** More than a page shows of a text, so that the page still marks the text as cut. */
const MAX_TEXT = 700;

function cutText(text: string): string {
  return text.slice(0, MAX_TEXT).toWellFormed();
}

function cutChanges(changes: Changes): Changes {
  const { names = {}, ...values } = changes;
  const cut = (value: unknown) => (typeof value === 'string' ? cutText(value) : value);
  const all = Object.entries(values).map(([name, both]) => [name, both?.map(cut)]);
  const named = Object.entries(names).map(([name, texts]) => [name, texts?.map(cut)]);
  return {
    ...Object.fromEntries(all),
    ...(named.length === 0 ? {} : { names: Object.fromEntries(named) }),
  };
}
