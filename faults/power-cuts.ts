/**
 * Simulates power cuts while forms are sent. It records every operation of the service on the files of
 * its SQLite database, and for many moments rebuilds the files as a disk could have left them. Each
 * time, SQLite must find no damage, every item acknowledged by then must be there, and no item may be
 * there in part.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeFields } from 'seeother/testing';
import type { Environment } from '../application/settings/config.ts';
import {
  type RunningApplication,
  startApplication,
} from '../application/testing/start-application.ts';
import { createRandom } from './random.ts';
import { createBooks, forEach, logIn, type SentForm, sendForm } from './send-forms.ts';
import { createDisk, type DiskContent } from './simulate-cuts.ts';
import { FILE, KIND, readRecords, recordWrites, type WriteRecord } from './write-records.ts';

/** Forms under way at once. */
const AT_ONCE = 16;
/**
 * One form of this many is sent twice at once: the second answer comes from the receipt of the first.
 */
const TWICE = 5;

export interface Recording {
  readonly records: readonly WriteRecord[];
  /** The number of records when the service started to listen. */
  readonly from: number;
  readonly acknowledged: readonly Acknowledged[];
}

export interface Acknowledged {
  readonly name: string;
  readonly path: string;
  /** How many bytes of records there were when the answer arrived. */
  readonly position: number;
}

/** In memory, because thousands of databases are written; deleted at the end. */
export function createFolder(): string {
  return realpathSync(mkdtempSync('/dev/shm/seeother-'));
}

/** Records one run of the service, which ends by itself. */
export function recordForms(count: number, environment: Environment = {}): Promise<Recording> {
  return record(async ({ start, send }) => {
    const site = await start(environment);
    try {
      await send(site, await logIn(site.url), 0, count);
    } finally {
      await site.stop();
    }
  });
}

/**
 * Records two runs: a sync of the log fails once, so the service ends, and it starts again on what the kernel still
 * has in memory. Meanwhile another process reads what was there before the failure, so that no checkpoint can copy
 * the whole log, or what is there after it, so that SQLite does not start the log from its beginning.
 */
export function recordFailedSync(count: number, reads: 'before' | 'after'): Promise<Recording> {
  return record(async ({ database, broken, start, send }) => {
    const half = Math.floor(count / 2);
    const first = await start({ RECORD_FAIL: broken, DRAIN_LIMIT: '5' });
    const ended = once(first.process, 'close');
    const cookie = await logIn(first.url);
    await send(first, cookie, 0, half);
    const reader = new DatabaseSync(database, { readOnly: true });
    const beginRead = () => {
      reader.exec('begin');
      reader.prepare('select count(*) from items').get();
    };
    try {
      // An open file keeps the end of the first run from copying the log.
      reader.prepare('select count(*) from items').get();
      if (reads === 'before') beginRead();
      writeFileSync(broken, '');
      await send(first, cookie, half, half + AT_ONCE);
      await ended;
      if (reads === 'after') beginRead();
      const second = await start();
      await send(second, cookie, half, count);
      await second.stop();
    } finally {
      reader.close();
      await first.stop();
    }
  });
}

/** Records one run beside a long read, after which the log is truncated. Below a thousand forms it is too small. */
export function recordLongRead(count: number): Promise<Recording> {
  return record(async ({ database, start, send }) => {
    const site = await start();
    const reader = new DatabaseSync(database, { readOnly: true });
    try {
      const cookie = await logIn(site.url);
      reader.exec('begin');
      reader.prepare('select count(*) from items').get();
      const most = Math.floor(0.8 * count);
      await send(site, cookie, 0, most);
      const logSize = () => statSync(`${database}-wal`).size;
      const before = logSize();
      reader.exec('commit');
      for (let tries = 0; logSize() >= before; tries++) {
        if (tries === 100) throw new Error(`The log of ${before} bytes was not truncated.`);
        await sleep(100);
      }
      await send(site, cookie, most, count);
    } finally {
      reader.close();
      await site.stop();
    }
  });
}

export interface Recorder {
  readonly database: string;
  /** The folder of files. */
  readonly stored: string;
  /** The environment that makes a process record its writes. */
  readonly recording: Environment;
  /** How many bytes of records there are. */
  readonly position: () => number;
  /** A sync fails once this file exists. */
  readonly broken: string;
  readonly start: (environment?: Environment) => Promise<RunningApplication>;
  /** Sends the forms with these numbers. */
  readonly send: (
    site: RunningApplication,
    cookie: string,
    first: number,
    end: number,
  ) => Promise<void>;
}

export async function record(run: (recorder: Recorder) => Promise<void>): Promise<Recording> {
  const folder = createFolder();
  const [database, to] = [join(folder, 'application.db'), join(folder, 'records')];
  const stored = join(folder, 'files');
  const recording = recordWrites(database, stored, to, join(folder, 'record-writes.so'));
  const acknowledged: Acknowledged[] = [];
  let from = 0;
  try {
    await run({
      ...{ database, stored, recording },
      position: () => statSync(to).size,
      broken: join(folder, 'broken'),
      async start(environment = {}) {
        const url = `sqlite:${database}`;
        const settings = { SAMPLE_ITEMS: '0', DATABASE_URL: url, ...recording, ...environment };
        const site = await startApplication(settings);
        from ||= statSync(to).size;
        return site;
      },
      async send({ url }, cookie, first, end) {
        const books = createBooks();
        const numbers = Array.from({ length: end - first }, (_, index) => first + index);
        const sendOne = async (form: SentForm) => {
          await sendForm(books, form, url, cookie);
          const { name, path } = form;
          if (path !== null) acknowledged.push({ name, path, position: statSync(to).size });
        };
        await forEach(numbers, AT_ONCE, async (number) => {
          const times = number % TWICE === 0 ? 2 : 1;
          await Promise.all(Array.from({ length: times }, () => sendOne(createForm(number))));
        });
      },
    });
    return { records: readRecords(to), from, acknowledged };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Descriptions of different lengths, so that an item takes one page or several. */
function createForm(number: number): SentForm {
  const name = `Thing ${number}`;
  const description = `About thing ${number}. `.repeat((number * 7) % 300).slice(0, 5_000);
  const fields = { name, description, tags: 'first, second', _once: `form-${number}` };
  return { name, body: encodeFields(fields), path: null };
}

export interface CutOptions {
  readonly seed?: number;
  /** A file whose syncs are ignored, to show that the test notices lost data. */
  readonly ignored?: number;
}

export function cutPower(recording: Recording, cuts: number, options: CutOptions = {}) {
  const { acknowledged } = recording;
  const report = { lost: 0, damaged: 0, halves: 0 };
  for (const { content, position: end } of simulateCuts(recording, cuts, options)) {
    const due = acknowledged.filter(({ position }) => position <= end);
    const { lost, isDamaged, halves } = examine(content, due);
    report.lost += lost;
    report.damaged += isDamaged ? 1 : 0;
    report.halves += halves;
  }
  return { cuts, acknowledged: acknowledged.length, ...report };
}

/** What a test cuts. */
const FORMS = 100;
const CUTS = 40;

/** None of these cuts loses anything, of more than `atLeast` forms. */
function assertNoneLost(recording: Recording, atLeast: number): void {
  const { acknowledged, ...rest } = cutPower(recording, CUTS);
  assert.ok(acknowledged > atLeast, `${acknowledged} were acknowledged`);
  assert.deepEqual(rest, { cuts: CUTS, lost: 0, damaged: 0, halves: 0 });
}

export async function cutWhileServing(workers: number): Promise<void> {
  const recording = await recordForms(FORMS, { WORKERS: String(workers) });
  assertNoneLost(recording, FORMS / 2);
  const { lost } = cutPower(recording, 20, { ignored: FILE.log });
  assert.ok(lost > 0, 'nothing is lost when the log is never synced: the cuts show nothing');
}

export async function cutAfterFailedSync(reads: 'before' | 'after'): Promise<void> {
  const recording = await recordFailedSync(2 * FORMS, reads);
  assertNoneLost(recording, FORMS);
}

/** What the disk has after each cut, and how many bytes of records there were before it. */
export function* simulateCuts(
  { records, from }: Pick<Recording, 'records' | 'from'>,
  cuts: number,
  { seed = 1, ignored }: CutOptions,
): Generator<{ readonly content: DiskContent; readonly position: number }> {
  const random = createRandom(seed);
  const disk = createDisk(ignored);
  const moments = chooseMoments(records, from, cuts, random);
  for (const [index, record] of records.entries()) {
    for (let again = moments.get(index) ?? 0; again > 0; again--) {
      const content = disk.cut(chooseKept(random), () => chooseTear(random));
      yield { content, position: record.position };
    }
    disk.take(record);
  }
}

/** The records before which the power is cut: half of the cuts are around those of checkpoints, and of stored files. */
function chooseMoments(
  records: readonly WriteRecord[],
  from: number,
  cuts: number,
  random: () => number,
): ReadonlyMap<number, number> {
  const all = [...records.keys()].filter((index) => (records[index]?.position ?? 0) >= from);
  const ofCheckpoints = all.filter((index) => {
    const { file, kind } = records[index] ?? {};
    const isChecked = file === FILE.database || file === FILE.stored || file === FILE.store;
    return isChecked || kind === KIND.truncate || kind === KIND.syncEnd;
  });
  const moments = new Map<number, number>();
  for (let cut = 0; cut < cuts; cut++) {
    const list = cut % 2 === 0 || ofCheckpoints.length === 0 ? all : ofCheckpoints;
    const index = list[Math.floor(random() * list.length)] ?? 0;
    moments.set(index, (moments.get(index) ?? 0) + 1);
  }
  return moments;
}

/** The writes that survive: none, all, a prefix, or any subset of those that were not synced. */
function chooseKept(random: () => number): (order: number, count: number) => boolean {
  const share = [0, 1, 0.1, 0.5, 0.9][Math.floor(random() * 6)];
  if (share !== undefined) return () => random() < share;
  const end = random();
  return (order, count) => order < end * count;
}

/** One write in ten arrives in part. */
function chooseTear(random: () => number) {
  return random() < 0.1 ? () => random() < 0.5 : null;
}

const HALVES = `select
  (select count(*) from items where '/items/' || number not in (select path from receipts))
  + (select count(*) from receipts where path not in (select '/items/' || number from items))
  + (select count(*) from items where number not in (select rowid from item_words))
  + (select count(*) from items
      where (select count(*) from item_tags where item_number = number) <> 2) as count`;

const NAMES = { [FILE.database]: '', [FILE.log]: '-wal', [FILE.journal]: '-journal' };

/** The files of the database, in a folder that is there. */
export function writeDatabase({ database }: DiskContent, path: string): void {
  for (const [file, bytes] of database) writeFileSync(path + NAMES[file], bytes);
}

function examine(content: DiskContent, due: readonly Acknowledged[]) {
  const folder = createFolder();
  const path = join(folder, 'application.db');
  try {
    writeDatabase(content, path);
    const database = new DatabaseSync(path);
    try {
      const [check] = database.prepare('pragma integrity_check').all();
      const rows = database.prepare("select '/items/' || number as path, name from items").all();
      const names = new Map(rows.map((row) => [row['path'], row['name']]));
      const lost = due.filter((one) => names.get(one.path) !== one.name).length;
      const halves = Number(database.prepare(HALVES).get()?.['count']);
      return { lost, halves, isDamaged: check?.['integrity_check'] !== 'ok' };
    } finally {
      database.close();
    }
  } catch {
    return { lost: due.length, halves: 0, isDamaged: true };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
