/**
 * The rows of a list as a file: all that the filters leave, in the order of the page, read a page at a time while the
 * client reads. Its cells are the texts of the fields as a form takes them, so that the file can be imported again; a
 * tick is in words.
 */
import type { Context } from '../chain/context.ts';
import { type CsvCell, type CsvColumn, type CsvOptions, csv } from '../http/csv.ts';
import { languageOf } from '../http/request-language.ts';
import type { Response } from '../http/response.ts';
import type { Language } from '../language/language.ts';
import type { AnyColumn, AnyList } from './define-list.ts';
import { labelOf } from './list-table.ts';
import { keyOf, type ReadOptions, toPlace } from './read-list.ts';
import { readQuery } from './read-query.ts';

/** Rows that are read at once. */
const PIECE = 500;

/** Null if a filter is wrong: the page says so, and a file cannot. */
export async function listCsv<C extends Context>(
  context: C,
  list: AnyList,
  { read, keys }: Pick<ReadOptions<C, unknown, string, unknown, undefined>, 'read' | 'keys'>,
  options: CsvOptions,
): Promise<Response<200> | null> {
  const asked = await readQuery(list, context.request);
  if ((asked.form.errors ?? []).length > 0) return null;
  const key = keyOf(keys, asked.order);
  const readPiece = (place: object) =>
    read(toPlace(context, asked, key, { limit: PIECE, ...place }) as never);

  async function* readAll(): AsyncGenerator<unknown> {
    let offset = 0;
    let position: unknown = null;
    for (;;) {
      const rows = await readPiece(key === null ? { offset } : { position, isBackwards: false });
      yield* rows;
      if (rows.length < PIECE) return;
      offset += rows.length;
      position = rows.at(-1);
    }
  }
  const language = languageOf(context.request);
  const columns = Object.entries(list.columns).flatMap(([name, column]) => {
    const cell = toCell(name, column, language);
    return cell === null ? [] : [[labelOf(column, language), cell] as const];
  });
  return csv(readAll(), columns, options);
}

/** Null for a column that draws what no field names, unless it has `csv`. */
function toCell(
  name: string,
  { field, csv: own, show }: AnyColumn<unknown>,
  language: Language,
): CsvColumn<unknown> | null {
  if (own === null || (own === undefined && field === undefined && show !== undefined)) return null;
  if (own !== undefined) return own;
  return (row): CsvCell => {
    const value = (row as Readonly<Record<string, unknown>>)[name];
    if (field === undefined) return value as CsvCell;
    if (typeof value === 'number' || value === null) return value;
    // Else a tick would be `on` or nothing.
    if (typeof value === 'boolean') return field.show(field.toText(value), { language });
    const text = field.toText(value);
    return typeof text === 'string' ? text : text.join(', ');
  };
}
