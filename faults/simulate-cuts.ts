/**
 * The possible contents of a disk after a power cut: everything synced, plus any part of the rest, in
 * any order. A sync covers what was recorded before it began. A new name is part of its folder: for the folder of
 * files and what is in it, a sync of the file itself does not cover it, as POSIX has it. Until a sync ends, it
 * guarantees nothing. One that fails drops what it should have written, as Linux may: no later sync writes it.
 */
import { FILE, KIND, type WriteRecord } from './write-records.ts';

/** The contents of each existing file. */
export interface DiskContent {
  /** The files of the database. */
  readonly database: ReadonlyMap<number, Buffer>;
  /** Those in the folder of files, by name; null without the folder. */
  readonly stored: ReadonlyMap<string, Buffer> | null;
}

export interface Disk {
  readonly take: (record: WriteRecord) => void;
  /** Of the data that is not synced, `isKept` chooses what is there, completely or in part. */
  readonly cut: (isKept: (order: number, count: number) => boolean, tear: Tear) => DiskContent;
}

/** The 512-byte sectors of a write that have arrived; null for all. */
export type Tear = () => ((sector: number) => boolean) | null;

const SECTOR = 512;
const DATABASE = [FILE.database, FILE.log, FILE.journal];

/** `ignored` is a file whose syncs have no effect, to show that the test notices lost data. */
export function createDisk(ignored: number | null = null): Disk {
  const durable = new Map([...DATABASE, FILE.store].map((file) => [String(file), createImage()]));
  let pending: WriteRecord[] = [];
  const begins = new Map<bigint, number>();

  /**
   * Everything recorded for the file before the sync began is durable; for a folder, all its names are.
   */
  const sync = (synced: WriteRecord, before: number) => {
    const later: WriteRecord[] = [];
    for (const record of pending)
      if (record.position < before && isCovered(record, synced))
        imageIn(durable, record).apply(record, null);
      else later.push(record);
    pending = later;
  };

  return {
    take(record) {
      const { kind, file, offset, position } = record;
      if (kind === KIND.syncBegin) begins.set(offset, position);
      else if (kind === KIND.syncFail) pending = pending.filter((one) => !isDropped(one, file));
      else if (kind !== KIND.syncEnd) pending.push(record);
      else if (file !== ignored) sync(record, begins.get(offset) ?? 0);
    },
    cut(isKept, tear) {
      const files = new Map(durable);
      const copied = new Set<string>();
      for (const [order, record] of pending.entries()) {
        if (!isKept(order, pending.length)) continue;
        const key = keyOf(record);
        const image = imageIn(files, record);
        if (!copied.has(key)) files.set(key, image.copy());
        copied.add(key);
        files.get(key)?.apply(record, tear());
      }
      const there = [...files].filter(([, image]) => image.exists());
      const contents = new Map(there.map(([key, image]) => [key, image.bytes()]));
      const database = DATABASE.flatMap((file) => {
        const content = contents.get(String(file));
        return content === undefined ? [] : [[file, content] as const];
      });
      const stored = [...contents].flatMap(([key, content]) =>
        key.startsWith(PREFIX) ? [[key.slice(PREFIX.length), content] as const] : [],
      );
      return {
        database: new Map(database),
        stored: contents.has(String(FILE.store)) ? new Map(stored) : null,
      };
    },
  };
}

const PREFIX = 'stored ';

type Image = ReturnType<typeof createImage>;

/** Of a file of the database and of a folder, its number; of a file in the folder, its name. */
function keyOf({ file, name }: WriteRecord): string {
  return file === FILE.stored ? PREFIX + name : String(file);
}

function imageIn(images: Map<string, Image>, record: WriteRecord): Image {
  const key = keyOf(record);
  const known = images.get(key);
  if (known !== undefined) return known;
  // Its name is never used again: what is written to it is there as soon as its name is.
  const image = createImage(undefined, 0, false, true);
  images.set(key, image);
  return image;
}

function isCovered(record: WriteRecord, { file, name }: WriteRecord): boolean {
  const isName = record.kind === KIND.create || record.kind === KIND.remove;
  if (isName && record.file === FILE.stored) return file === FILE.store;
  if (isName && record.file === FILE.store) return file === FILE.folder;
  return (record.file === file && record.name === name) || (file === FILE.folder && isName);
}

/** A changed length is metadata, which the file system writes in its own way. */
function isDropped({ file, kind }: WriteRecord, failed: number): boolean {
  return file === failed && kind === KIND.write;
}

/** One file. A write to a file without a name is lost, unless the name is unique. */
function createImage(content = Buffer.alloc(0), length = 0, isThere = false, isUnique = false) {
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
    copy: () => createImage(Buffer.from(content.subarray(0, length)), length, isThere, isUnique),
    apply({ kind, offset, data }: WriteRecord, hasArrived: ReturnType<Tear>): void {
      if (kind === KIND.create || kind === KIND.remove) {
        isThere = kind === KIND.create;
        if (!isUnique) resize(0);
      } else if (!isThere && !isUnique) return;
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
