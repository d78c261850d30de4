/**
 * Simulates power cuts while items, their photos and their own fields are changed: see changes.ts and power-cuts.ts.
 * Each time, everything acknowledged by then must be there once, the history must lead back from what is there, each
 * file that something refers to must have its bytes, and every other stored file a record by which it is removed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { BARE_ENVIRONMENT } from '../application/testing/bare-environment.ts';
import {
  compareChanges,
  isDone,
  nextChange,
  prepareItems,
  type SentChange,
  sendAgain,
  sendChange,
} from './changes.ts';
import { countPictures } from './kill-during-changes.ts';
import type { Place } from './kill-during-creates.ts';
import {
  type CutOptions,
  createFolder,
  type Recorder,
  type Recording,
  record,
  simulateCuts,
  writeDatabase,
} from './power-cuts.ts';
import { countDamaged, readFiles, readRecords } from './read-files.ts';
import { readHistory } from './read-history.ts';
import { logIn, readRows, runStatement } from './send-forms.ts';
import type { DiskContent } from './simulate-cuts.ts';

/** Forms under way at once. */
const AT_ONCE = 8;

export interface RecordedChanges extends Pick<Recording, 'records' | 'from'> {
  readonly sent: readonly SentChange[];
  /** For each form, how many bytes of records there were when its answer arrived. */
  readonly positions: ReadonlyMap<SentChange, number>;
}

/**
 * Records one run, until so many forms were carried out and all photos have their pictures, on SQLite and a folder.
 * With a place, the database is there, and only the folder is recorded: what was sent is kept in it beside the
 * pictures.
 */
export async function recordChanges(count: number, place?: Place): Promise<RecordedChanges> {
  const sent: SentChange[] = [];
  const positions = new Map<SentChange, number>();
  const { records, from } = await record(async (recorder) => {
    const { database, stored, position, start } = recorder;
    const url = place?.url ?? `sqlite:${database}`;
    const elsewhere = place === undefined ? {} : { DATABASE_URL: url, KEEP_ORIGINALS: '1' };
    const site = await start({ FILES_FOLDER: stored, ...elsewhere });
    const run = async (statement: string) =>
      place === undefined ? runRecorded(recorder, statement) : runStatement(url, statement);
    try {
      const cookie = await logIn(site.url);
      await prepareItems(run, site.url, cookie);
      const sendOn = async () => {
        while (sent.filter(isDone).length < count) {
          // A connection may end just when it is used again: the form is sent once more.
          const form = await nextChange(sent, site.url, cookie).catch(() => null);
          if (form === null) continue;
          await sendChange(form, site.url, cookie).catch(() => {});
          if (form.status === null) await sendAgain([form], site.url, cookie);
          positions.set(form, position());
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, sendOn));
      while ((await countPictures(url, 'waiting')) > 0) await sleep(100);
    } finally {
      await site.stop();
    }
  });
  return { records, from, sent, positions };
}

/** In a process whose writes are recorded, too. */
function runRecorded({ database, recording }: Recorder, statement: string): void {
  const program = `const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const database = new DatabaseSync(process.argv[1], { timeout: 10_000 });
    database.exec(process.argv[2]);
    database.close();`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', program, database, statement], {
    env: { ...BARE_ENVIRONMENT, ...recording },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The definitions were not written: ${stderr}`);
}

/** In the report, `halves` are items and definitions that differ from their history. */
export async function cutChanges(
  recording: RecordedChanges,
  cuts: number,
  options: CutOptions = {},
) {
  const { sent, positions } = recording;
  const report = { lost: 0, doubled: 0, ghosts: 0, gaps: 0, halves: 0, damaged: 0, leftovers: 0 };
  for (const { content, position } of simulateCuts(recording, cuts, options)) {
    const due = sent.filter((form) => isDone(form) && (positions.get(form) ?? 0) <= position);
    const found = await examine(content, due, sent);
    for (const name of Object.keys(report) as (keyof typeof report)[]) report[name] += found[name];
  }
  return { cuts, acknowledged: sent.filter(isDone).length, ...report };
}

async function examine(
  content: DiskContent,
  due: readonly SentChange[],
  sent: readonly SentChange[],
) {
  const folder = createFolder();
  const path = join(folder, 'application.db');
  const url = `sqlite:${path}`;
  try {
    writeDatabase(content, path);
    const database = new DatabaseSync(path);
    try {
      const [check] = database.prepare('pragma integrity_check').all();
      const history = await readHistory(url);
      const stored = await readFiles(url);
      const { doubled, ghosts, gaps } = compareChanges(sent, history, stored);
      const { damaged, leftovers } = await examineFiles(url, content, stored);
      return {
        lost: compareChanges(due, history, stored).lost,
        ...{ doubled, ghosts, gaps, leftovers },
        halves: history.differences,
        damaged: damaged + (check?.['integrity_check'] === 'ok' ? 0 : 1),
      };
    } finally {
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Of a recording whose database is on PostgreSQL, which syncs before it acknowledges: whether the folder has each file
 * that was sent with an acknowledged form.
 */
export async function cutFolder(
  recording: RecordedChanges,
  { url, remove }: Place,
  cuts: number,
  options: CutOptions = {},
) {
  const { sent, positions } = recording;
  const [files, records] = [await readFiles(url), await readRecords(url)];
  const byName = new Map(files.map((file) => [file.name, file]));
  let lost = 0;
  for (const { content, position } of simulateCuts(recording, cuts, options)) {
    const due = sent.filter((form) => isDone(form) && (positions.get(form) ?? 0) <= position);
    for (const { name, sha256 } of due.flatMap((form) => form.files)) {
      const ids = byName.get(name)?.records ?? [];
      const record = records.find((one) => ids.includes(one.id) && one.sha256 === sha256);
      if (hashIn(content, record?.key ?? '') !== sha256) lost++;
    }
  }
  await remove();
  const acknowledged = sent.filter(isDone);
  return {
    ...{ cuts, acknowledged: acknowledged.length },
    files: acknowledged.flatMap((form) => form.files).length,
    lost,
  };
}

function hashIn({ stored }: DiskContent, key: string): string | null {
  const bytes = stored?.get(key);
  return bytes === undefined ? null : createHash('sha256').update(bytes).digest('hex');
}

/** The mark of the folder is one of its files: without it, the service takes the folder for another one. */
async function examineFiles(
  url: string,
  content: DiskContent,
  files: Awaited<ReturnType<typeof readFiles>>,
) {
  const hasTable = await readRows(url, "select 1 from sqlite_master where name = 'seeother_files'");
  if (hasTable.length === 0) return { damaged: 0, leftovers: 0 };
  const records = await readRecords(url);
  const keys = new Set(records.map(({ key }) => key));
  const begun = await readRows(url, "select 1 from seeother_files where key = ''");
  const names = [...(content.stored?.keys() ?? [])];
  const isMarked = names.some((name) => name.endsWith('.txt'));
  const damaged = await countDamaged(files, records, async (key) => hashIn(content, key));
  return {
    damaged: damaged + (begun.length > 0 && !isMarked ? 1 : 0),
    leftovers: names.filter((name) => !name.endsWith('.txt') && !keys.has(name)).length,
  };
}
