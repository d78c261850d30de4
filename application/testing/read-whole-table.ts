/** Reads a whole file as a table, as an import does, for tests. */
import { createColumnFacts, guessColumns } from '../imports/columns.ts';
import { describeEncoding } from '../imports/file-columns.ts';
import { createEndFinder } from '../imports/not-a-thing.ts';
import { decodeRow } from '../imports/raw-table.ts';
import { type Columns, createRowReader } from '../imports/read-row.ts';
import { openTable } from '../imports/read-table.ts';

export async function readWholeTable(file: string | Uint8Array, name = 'things.csv') {
  const table = await openTable({ name, chunks: () => bytesOf(file) });
  const { old } = table;
  const notices = [...describeEncoding(old), ...table.notices];
  const encoding = old?.name ?? null;
  const { cells: header } = decodeRow({ line: 0, cells: table.header }, encoding);
  const lines = (await Array.fromAsync(table.rows)).map((row) => decodeRow(row, encoding));
  const collected = createColumnFacts(header.length);
  const finder = createEndFinder();
  for (const { cells, line } of lines) {
    collected.add(cells);
    finder.add(cells, line);
  }
  const facts = collected.facts();
  const guesses = guessColumns(header, facts);
  const uses = guesses.map(({ use }) => use);
  const places = facts[uses.indexOf('location')]?.placeMark ?? null;
  const columns: Columns = { header, facts, uses, places, lines: finder.ends() };
  return {
    ...{ header, notices, old, lines, facts, guesses },
    rows: lines.map(createRowReader(columns)),
  };
}

/** In chunks that split characters and line ends. */
export async function* bytesOf(file: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(file);
  for (let at = 0; at < bytes.length; at += 997) yield bytes.subarray(at, at + 997);
}
