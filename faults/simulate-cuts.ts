/**
 * The possible contents of a disk after a power cut: everything synced, plus any part of the rest, in
 * any order. A sync covers what was recorded before it began. Until it ends, it guarantees nothing. A sync that
 * fails drops what it should have written, as Linux may: no later sync writes it.
 */
import { FILE, KIND, type WriteRecord } from './write-records.ts';

/** The contents of each existing file. */
export type DiskContent = ReadonlyMap<number, Buffer>;

export interface Disk {
  readonly take: (record: WriteRecord) => void;
  /** Of the data that is not synced, `isKept` chooses what is there, completely or in part. */
  readonly cut: (isKept: (order: number, count: number) => boolean, tear: Tear) => DiskContent;
}

/** The 512-byte sectors of a write that have arrived; null for all. */
export type Tear = () => ((sector: number) => boolean) | null;

const SECTOR = 512;
const FILES = [FILE.database, FILE.log, FILE.journal];

/** `ignored` is a file whose syncs have no effect, to show that the test notices lost data. */
export function createDisk(ignored: number | null = null): Disk {
  const durable = new Map(FILES.map((file) => [file, createImage()]));
  let pending: WriteRecord[] = [];
  const begins = new Map<bigint, number>();

  /**
   * Everything recorded for the file before the sync began is durable; for a folder, all its names are.
   */
  const sync = (synced: number, before: number) => {
    const later: WriteRecord[] = [];
    for (const record of pending) {
      const { file, kind, position } = record;
      const isName = kind === KIND.create || kind === KIND.remove;
      const isSynced = position < before && (file === synced || (synced === FILE.folder && isName));
      if (isSynced) durable.get(file)?.apply(record, null);
      else later.push(record);
    }
    pending = later;
  };

  return {
    take(record) {
      const { kind, file, offset, position } = record;
      if (kind === KIND.syncBegin) begins.set(offset, position);
      else if (kind === KIND.syncFail) pending = pending.filter((one) => !isDropped(one, file));
      else if (kind !== KIND.syncEnd) pending.push(record);
      else if (file !== ignored) sync(file, begins.get(offset) ?? 0);
    },
    cut(isKept, tear) {
      const files = new Map([...durable].map(([file, image]) => [file, image.copy()]));
      for (const [order, record] of pending.entries())
        if (isKept(order, pending.length)) files.get(record.file)?.apply(record, tear());
      const there = [...files].filter(([, image]) => image.exists());
      return new Map(there.map(([file, image]) => [file, image.bytes()]));
    },
  };
}

/** A changed length is metadata, which the file system writes in its own way. */
function isDropped({ file, kind }: WriteRecord, failed: number): boolean {
  return file === failed && kind === KIND.write;
}

/** One file. A write to a file without a name is lost. */
function createImage(content = Buffer.alloc(0), length = 0, isThere = false) {
  const grow = (size: number) => {
    if (size <= content.length) return;
    const larger = Buffer.alloc(Math.max(size, content.length * 2));
    content.copy(larger, 0, 0, length);
    content = larger;
  };
  const resize = (size: number) => {
    grow(size);
    if (size < length) content.fill(0, size, length);
    length = size;
  };
  const write = (at: number, data: Buffer) => {
    grow(at + data.length);
    data.copy(content, at);
    length = Math.max(length, at + data.length);
  };
  return {
    exists: () => isThere,
    bytes: () => content.subarray(0, length),
    copy: () => createImage(Buffer.from(content.subarray(0, length)), length, isThere),
    apply({ kind, offset, data }: WriteRecord, hasArrived: ReturnType<Tear>): void {
      if (kind === KIND.create || kind === KIND.remove) {
        isThere = kind === KIND.create;
        resize(0);
      } else if (!isThere) return;
      else if (kind === KIND.truncate) resize(Number(offset));
      else {
        const sectors = Math.ceil(data.length / SECTOR);
        for (let sector = 0; sector < sectors; sector++) {
          if (hasArrived !== null && !hasArrived(sector)) continue;
          const start = sector * SECTOR;
          write(Number(offset) + start, data.subarray(start, start + SECTOR));
        }
      }
    },
  };
}
