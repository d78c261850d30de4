/**
 * How much of a form that was sent one page shows. A form of a few bytes may have many rows, each with many controls:
 * without a limit, 8 KB took 273 ms and became 3.8 MB. So rows are drawn until the page is long enough, those with an
 * error or the focus first. The others are kept in hidden fields.
 *
 * A page that is filled by the application shows all of its rows.
 */
import { type Html, html } from '../http/html.ts';
import type { BoundPart } from './bound-part.ts';
import type { SomeFilledForm } from './define-form.ts';
import { ROW_MARK, toEntries } from './sent-fields.ts';

/** Characters of markup of all rows that are drawn, and of all that are kept. */
export const MAX_DRAWN = 400_000;
export const MAX_KEPT = 400_000;

/** What is left, in characters. */
interface Space {
  drawn: number;
  kept: number;
}

const spaces = new WeakMap<SomeFilledForm, Space>();

export function spaceOf(form: SomeFilledForm): Space {
  const known = spaces.get(form);
  if (known !== undefined) return known;
  const isSent = form.sent !== undefined;
  const space = { drawn: isSent ? MAX_DRAWN : Number.POSITIVE_INFINITY, kept: MAX_KEPT };
  spaces.set(form, space);
  return space;
}

/** Draws rows while there is space, and tells which ones are left. */
export function drawWithin(
  form: SomeFilledForm,
  { path, parts: rows }: BoundPart,
  draw: (row: BoundPart) => Html,
): { readonly drawn: readonly Html[]; readonly left: readonly BoundPart[] } {
  const space = spaceOf(form);
  const drawn = new Map<BoundPart, Html>();
  const drawOne = (row: BoundPart): void => {
    if (drawn.has(row) || space.drawn <= 0) return;
    const before = space.drawn;
    const markup = draw(row);
    // Rows within it were counted already.
    space.drawn = Math.min(space.drawn, before - markup.markup.length);
    drawn.set(row, markup);
  };
  for (const at of urgentRows(form, path)) {
    const row = rows[at];
    if (row !== undefined) drawOne(row);
  }
  for (const row of rows) drawOne(row);
  return {
    drawn: rows.flatMap((row) => drawn.get(row) ?? []),
    left: rows.filter((row) => !drawn.has(row)),
  };
}

/** The rows with the focus or an error. */
function urgentRows(
  { focus = null, errors = [] }: SomeFilledForm,
  path: string,
): readonly number[] {
  const start = `${path}.`;
  const fields = [focus, ...errors.map(({ field }) => field as string | null)];
  const inside = fields.flatMap((field) => (field?.startsWith(start) ? field : []));
  return [...new Set(inside.map((field) => Number.parseInt(field.slice(start.length), 10)))];
}

/** A row that is not drawn: its mark, and its texts that are not empty. */
export function keepTexts(row: BoundPart): Html {
  const [, ...inside] = toEntries(row);
  return html`${keepRow(row.path)}${inside.map(([name, text]) => (text === '' ? null : html`<input type="hidden" name="${name}" value="${text}">`))}`;
}

/** Tells the mark of a row that is not drawn from that of others, for the check of a layout. */
export function keepRow(path: string): Html {
  return html`<input type="hidden" name="${path}" value="${ROW_MARK}" data-kept>`;
}
