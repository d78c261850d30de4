/**
 * What tells the rows of a file apart: a reference, a serial number or a product code, or else the name and the
 * location in the file. A placeholder such as “siehe Typenschild” is no reference, and neither is a text that stands
 * beside different names.
 *
 * The cells count, not what is read of them, so the same row is the same with each release.
 */

import { hash } from 'node:crypto';
import type { TableRow } from 'seeother/tables';
import { isOwnExport } from '../items/export/csv.ts';
import { NUMBER, ROW, type Source } from '../items/item-sources.ts';
import type { CellNote } from './cell-note.ts';
import type { ColumnUse } from './columns.ts';
import { type Columns, findOtherName, nameColumn } from './columns.ts';
import { bareText, listWords, plainLocation, plainText, unescapeCell } from './same-text.ts';

export interface FileSources {
  /** The reference of the row, or the row itself; of an export, the number that it has there, and its references. */
  readonly sourcesOf: (cells: readonly string[]) => readonly Source[];
  /** When an export says that the item was added. */
  readonly addedAt: (cells: readonly string[]) => string | null;
  /** Says so if a text in the column of the references is none. */
  readonly noteOf: (cells: readonly string[]) => CellNote | null;
  /** Whether any row has this source. The first call reads the file. */
  readonly has: (source: Source) => Promise<boolean>;
}

/** Reads the rows if there are references. */
export async function readFileSources(
  columns: Columns,
  rows: () => AsyncIterable<TableRow>,
): Promise<FileSources> {
  const { header, uses } = columns;
  const at = (use: ColumnUse) => uses.indexOf(use);
  const [name, location, otherName] = [at('name'), at('location'), findOtherName(columns)];
  const [number, references, added] = [at('number'), at('references'), at('added')];
  const isExport = number !== -1 && isOwnExport(header);
  // Without a reference, a serial number tells things apart, or else a product code.
  const telling = (['reference', 'serial', 'code'] as const).find((use) => uses.includes(use));
  const reference = at(isExport ? 'reference' : (telling ?? 'reference'));
  const cellOf = (cells: readonly string[], index: number) =>
    index === -1 ? '' : unescapeCell(cells[index] ?? '');
  const nameOf = (cells: readonly string[]) =>
    plainText(cellOf(cells, name)) || plainText(cellOf(cells, otherName));
  const referenceOf = (cells: readonly string[]) => bareText(cellOf(cells, reference));
  const kind = toKind([name, otherName, location, reference].map((index) => header[index] ?? ''));
  /** The name beside a reference; null for what is none. */
  const names = new Map<string, string | null>();
  if (reference !== -1)
    for await (const { cells } of rows()) {
      const text = referenceOf(cells);
      const own = nameOf(cells);
      if (text !== '' && (names.get(text) ?? own) !== own) names.set(text, null);
      else if (!names.has(text)) names.set(text, isPlaceholder(text) ? null : own);
    }
  const isReference = (text: string) => text !== '' && names.get(text) !== null;
  function sourceOf(cells: readonly string[]): Source {
    const text = referenceOf(cells);
    if (isReference(text)) return { kind, text };
    const row = [
      ...[kind, nameOf(cells), plainLocation(cellOf(cells, location))],
      plainText(cellOf(cells, number)),
    ];
    return { kind: ROW, text: toDigest(row) };
  }
  const addedAt = (cells: readonly string[]) => toMoment(cellOf(cells, added).trim());
  function sourcesOf(cells: readonly string[]): readonly Source[] {
    if (!isExport) return [sourceOf(cells)];
    const own = cellOf(cells, number).trim();
    const lines = cellOf(cells, references).split('\n');
    const texts = lines.map(bareText);
    const sources = texts.filter((text) => text !== '').map((text) => ({ kind: '', text }));
    if (own === '') return sources.length > 0 ? sources : [sourceOf(cells)];
    // Somebody may have removed the column of the times.
    const text = `${own} ${addedAt(cells) ?? toDigest([own, nameOf(cells)])}`;
    return [{ kind: NUMBER, text }, ...sources];
  }
  let all: Promise<ReadonlySet<string>> | null = null;
  async function readAll(): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for await (const { cells } of rows()) for (const { text } of sourcesOf(cells)) found.add(text);
    return found;
  }
  return {
    ...{ sourcesOf, addedAt },
    noteOf(cells) {
      const text = referenceOf(cells);
      if (text === '' || isReference(text)) return null;
      const why = isPlaceholder(text) ? '' : ', because it stands beside different names';
      const message = `is not a reference${why}`;
      return { column: nameColumn(header[reference] ?? '', reference), cell: text, message };
    },
    async has({ text }) {
      all ??= readAll();
      return (await all).has(text);
    },
  };
}

/** Null for a text that no export has, and for a time that is still to come. */
function toMoment(text: string): string | null {
  if (text === '') return null;
  const time = Date.parse(text);
  const isMoment = !Number.isNaN(time) && new Date(time).toISOString() === text;
  return isMoment && time <= Date.now() ? text : null;
}

/** By the columns that tell things apart: a list that gets another column is the same list. */
function toKind(headings: readonly string[]): string {
  return toDigest(headings.map(plainText));
}

function toDigest(texts: readonly string[]): string {
  return hash('sha256', JSON.stringify(texts), 'base64url').slice(0, 22);
}

/** What people write where there is no number: without spaces, marks and accents. */
const PLACEHOLDERS = new Set(
  listWords(`
    na, nil, none, null, unknown, unk, missing, illegible, unreadable, tbd, tba, notavailable, notapplicable,
    notknown, nonumber, noserial, noserialnumber, ka, kein, keine, keiner, keineangabe, keinenummer,
    keineseriennummer, ohne, ohnenummer, ohneseriennummer, ohnesn, unbekannt, unb, nichtvorhanden, fehlt, nichtlesbar,
    unleserlich, unlesbar, entfallt, folgt, offen, dito, ditto, dto, typenschild, stypenschild, inconnu, inconnue,
    sans, sansnumero, aucun, aucune, neant, illisible, manquant, nonrenseigne, idem, brak, geen, onbekend, ukjent,
    okand, ingen, ninguno, desconocido, nessuno, sconosciuto, nenhum, yok, нет, неизвестно, なし, 不明, 无, 無`).map(
    toLetters,
  ),
);

/** Also what has neither a letter nor a digit but 0, what refers to another place, and “xxx”. */
export function isPlaceholder(text: string): boolean {
  // Most references.
  if (/[1-9]/.test(text)) return false;
  const plain = toLetters(text);
  return /^(?:0*|x+|(?:siehe|see|voir)\P{N}*)$/u.test(plain) || PLACEHOLDERS.has(plain);
}

function toLetters(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
