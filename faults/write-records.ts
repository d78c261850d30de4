/**
 * The records of record-writes.c: what a process did to the files of a SQLite database, in order. It
 * needs Linux, for LD_PRELOAD, and a C compiler.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../application/process/config.ts';
import { requireProgram, skipWithout } from '../deploy/find-program.ts';

/** As record-writes.c numbers them. */
export const KIND = { create: 1, write: 2, truncate: 3, remove: 4, syncBegin: 5, syncEnd: 6 };
export const FILE = { database: 1, log: 2, journal: 3, folder: 4 };

export interface WriteRecord {
  readonly kind: number;
  readonly file: number;
  /** Of a write, and the new length of a truncation; of a sync the number of its begin and its end. */
  readonly offset: bigint;
  readonly data: Buffer;
  /** How many bytes of records come before this one. */
  readonly position: number;
}

/** For `test(name, { skip }, …)`: why, or false. */
export function skipWithoutRecords(): string | false {
  if (process.platform !== 'linux') return 'LD_PRELOAD is of Linux.';
  return skipWithout('gcc');
}

/** What the environment of a process has to say so that its writes are recorded in `to`. */
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
