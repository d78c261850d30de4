/**
 * Reads the records of record-writes.c: the operations of a process on the files of a SQLite database,
 * in order. The recorder needs Linux (LD_PRELOAD) and a C compiler.
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
export const FILE = { database: 1, log: 2, journal: 3, folder: 4 };

export interface WriteRecord {
  readonly kind: number;
  readonly file: number;
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

/** The environment that makes a process record its writes in `to`. */
export function recordWrites(database: string, to: string, library: string): Environment {
  const source = join(import.meta.dirname, 'record-writes.c');
  const words = ['-O2', '-shared', '-fPIC', '-o', library, source, '-ldl'];
  const { status, stderr } = spawnSync(requireProgram('gcc'), words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Cannot compile ${source}: ${stderr}`);
  return { LD_PRELOAD: library, RECORD_DATABASE: database, RECORD_TO: to };
}

const HEAD = 16;

export function readRecords(path: string): readonly WriteRecord[] {
  const bytes = readFileSync(path);
  const records: WriteRecord[] = [];
  for (let position = 0; position < bytes.length; ) {
    const length = bytes.readUInt32LE(position + 4);
    records.push({
      kind: bytes.readUInt8(position),
      file: bytes.readUInt8(position + 1),
      offset: bytes.readBigInt64LE(position + 8),
      data: bytes.subarray(position + HEAD, position + HEAD + length),
      position,
    });
    position += HEAD + length;
  }
  return records;
}
