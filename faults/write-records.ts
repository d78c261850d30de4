/**
 * Reads the records of record-writes.c: the operations of a process on the files of a SQLite database, and on those in
 * a folder, in order. The recorder needs Linux (LD_PRELOAD) and a C compiler.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../application/settings/config.ts';
import { requireProgram, skipWithout } from '../deploy/find-program.ts';

/** The numbers that record-writes.c uses. */
export const KIND = {
  create: 1,
  write: 2,
  truncate: 3,
  remove: 4,
  syncBegin: 5,
  syncEnd: 6,
  syncFail: 7,
};
export const FILE = { database: 1, log: 2, journal: 3, folder: 4, stored: 5, store: 6 };

export interface WriteRecord {
  readonly kind: number;
  readonly file: number;
  /** Of a file in the folder of files; empty for others. */
  readonly name: string;
  /**
   * For a write its position, for a truncation the new length, for a sync the number that its begin and
   * end share.
   */
  readonly offset: bigint;
  readonly data: Buffer;
  /** The number of bytes of records before this one. */
  readonly position: number;
}

/** For `test(name, { skip }, …)`: the reason, or false. */
export function skipWithoutRecords(): string | false {
  if (process.platform !== 'linux') return 'LD_PRELOAD is of Linux.';
  return skipWithout('gcc');
}

/** The environment that makes a process record its writes in `to`. `files` is the folder of its files. */
export function recordWrites(
  database: string,
  files: string,
  to: string,
  library: string,
): Environment {
  const source = join(import.meta.dirname, 'record-writes.c');
  const words = ['-O2', '-shared', '-fPIC', '-o', library, source, '-ldl'];
  const { status, stderr } = spawnSync(requireProgram('gcc'), words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Cannot compile ${source}: ${stderr}`);
  const recording = { RECORD_DATABASE: database, RECORD_FILES: files, RECORD_TO: to };
  return { LD_PRELOAD: library, ...recording };
}

/** Bytes of a record before its name or its data, and of a name. */
const HEAD = 16;
const NAME = 64;

export function readRecords(path: string): readonly WriteRecord[] {
  const bytes = readFileSync(path);
  const records: WriteRecord[] = [];
  for (let position = 0; position < bytes.length; ) {
    const length = bytes.readUInt32LE(position + 4);
    const file = bytes.readUInt8(position + 1);
    const [begin, end] = [position + HEAD, position + HEAD + length];
    const data = file === FILE.stored ? begin + NAME : begin;
    records.push({
      kind: bytes.readUInt8(position),
      ...{ file, name: bytes.toString('latin1', begin, data).replace(/\0+$/, '') },
      offset: bytes.readBigInt64LE(position + 8),
      data: bytes.subarray(data, end),
      position,
    });
    position = end;
  }
  return records;
}
