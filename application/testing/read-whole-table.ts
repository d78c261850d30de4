/** Reads a whole file as a table, as an import does, for tests. */
import { decodeRow } from 'seeother/tables';
import { guessColumns } from '../imports/columns.ts';
import { createColumnReader } from '../imports/file-columns.ts';
import { readFileSources } from '../imports/file-sources.ts';
import type { FieldMaker } from '../imports/guess-fields.ts';
import { openFile } from '../imports/open-file.ts';
import { programOf } from '../imports/programs.ts';
import { createRowReader } from '../imports/read-row.ts';
import { NO_DEFINITIONS } from '../own-fields/definitions.ts';

export async function readWholeTable(file: string | Uint8Array, fields: Partial<FieldMaker> = {}) {
  const { definitions = NO_DEFINITIONS, canMake = false } = fields;
  const table = await openFile({ chunks: () => bytesOf(file) });
  const raw = await Array.fromAsync(table.rows);
  const reader = createColumnReader(table, {
    ...{ definitions, canMake, known: null, currency: 'EUR' },
  });
  for (const row of raw) reader.add(row);
  const columns = reader.toColumns();
  const lines = raw.map((row) => decodeRow(row, columns.old?.name ?? null));
  async function* rows() {
    yield* lines;
  }
  const sources = await readFileSources(columns, rows);
  const guesses = guessColumns(columns.header, columns.facts, programOf(columns.program));
  return {
    ...columns,
    lines,
    guesses,
    rows: lines.map(createRowReader(columns, sources, definitions)),
  };
}

/** In chunks that split characters and line ends. */
export async function* bytesOf(file: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(file);
  for (let at = 0; at < bytes.length; at += 997) yield bytes.subarray(at, at + 997);
}
