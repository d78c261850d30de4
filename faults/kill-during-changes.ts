/**
 * Kills the service with SIGKILL while items, their photos and their own fields are changed: see changes.ts. Each
 * second time, a picture has just been made, and each second time, the process that makes them is killed a moment
 * before. Every form without an answer is sent again with the same key. In the end each form that was carried out has
 * left its traces once, each that was refused none, the history of each item leads from its state back to its first
 * one, and no more is lent than there is. Each photo has its pictures, each file has its bytes, and after what the
 * service cleans up later, nothing else is stored.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../application/settings/config.ts';
import { openFiles } from '../application/settings/files-place.ts';
import {
  compareChanges,
  isDone,
  isRefused,
  nextChange,
  prepareItems,
  type SentChange,
  sendAgain,
  sendChange,
} from './changes.ts';
import { killRepeatedly, type Place } from './kill-during-creates.ts';
import type { FilesPlace } from './places-of-files.ts';
import { countDamaged, hashStored, readFiles, readRecords, sweepAll } from './read-files.ts';
import { readHistory } from './read-history.ts';
import { readRows, runStatement } from './send-forms.ts';

/** Milliseconds in which one picture at least must be made after the last start. */
const PICTURES_LIMIT = 60_000;
/** Milliseconds after which a process of pictures must have noticed that its service was killed. */
const ORPHAN_LIMIT = 10_000;
/** Milliseconds in which a further picture is waited for: the process that makes them takes a while to start. */
const PICTURE_LIMIT = 10_000;

export async function killDuringChanges(
  rounds: number,
  place: Place,
  files: FilesPlace,
  environment: Environment = {},
) {
  const sent: SentChange[] = [];
  const children = new Set<number>();
  const settings = { ...files.environment, ...environment };
  let made = 0;
  const countMade = () => countPictures(place.url, 'photo');
  const { unanswered, slowestStart } = await killRepeatedly(rounds, place, settings, {
    prepare: (url, cookie) => prepareItems(runStatement.bind(null, place.url), url, cookie),
    async send(url, cookie) {
      try {
        const form = await nextChange(sent, url, cookie);
        if (form !== null) await sendChange(form, url, cookie);
        return true;
      } catch {
        return false;
      }
    },
    async kill(processes) {
      if (Math.random() < 0.5) await untilMore(countMade);
      const found = processes.flatMap(childrenOf).filter((child) => !processes.includes(child));
      for (const child of found) children.add(child);
      if (Math.random() < 0.5) return;
      for (const child of found) kill(child);
      await sleep(Math.random() * 300);
    },
    sendAgain: (url, cookie) => sendAgain(sent, url, cookie),
    async finish() {
      made = await countMade();
      await untilPictures(place.url);
    },
  });
  const orphans = await countOrphans([...children]);
  const history = await readHistory(place.url);
  const stored = await readFiles(place.url);
  const ofKind = (kind: string) => stored.filter((file) => file.kind === kind).length;
  const store = openFiles(files.config);
  const damaged = await countDamaged(stored, await readRecords(place.url), (key) =>
    hashStored(store, key),
  );
  const leftovers = await sweepAll(place.url, store, files.list);
  const integrity = await place.check();
  await files.remove();
  await place.remove();
  const done = sent.filter(isDone);
  const refused = sent.filter(isRefused);
  return {
    rounds,
    acknowledged: done.length,
    refused: refused.length,
    unanswered,
    files: stored.length,
    /** Photos with pictures at the last start: the others had to wait for it. */
    made,
    ...compareChanges(sent, history, stored),
    differences: history.differences,
    ...{ waiting: ofKind('waiting'), unmade: ofKind('failed'), damaged, leftovers, orphans },
    failed: sent.length - done.length - refused.length,
    statuses: [...new Set(sent.map(({ status }) => status))].toSorted().join(' '),
    integrity,
    slowestStart,
  };
}

export async function countPictures(url: string, kind: string): Promise<number> {
  const rows = await readRows(url, `select id from item_files where kind = '${kind}'`);
  return rows.length;
}

/** A job of a killed process waits for the end of its lease, some minutes: here it has ended. */
async function untilPictures(url: string): Promise<void> {
  await runStatement(
    url,
    "update seeother_outbox set due_at = '2026-01-01T00:00:00.000Z' where name = 'makePictures' and error like 'running%'",
  );
  for (let before = 0, now = -1; now !== 0 && now !== before; ) {
    before = await countPictures(url, 'waiting');
    const end = performance.now() + PICTURES_LIMIT;
    do {
      await sleep(100);
      now = await countPictures(url, 'waiting');
    } while (now === before && now > 0 && performance.now() < end);
  }
}

/** Until the count has grown, and a moment more. */
async function untilMore(count: () => Promise<number>): Promise<void> {
  const before = await count();
  const end = performance.now() + PICTURE_LIMIT;
  while ((await count()) === before && performance.now() < end) await sleep(20);
  await sleep(Math.random() * 200);
}

function childrenOf(id: number): readonly number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(id)], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).map(Number);
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

async function countOrphans(ids: readonly number[]): Promise<number> {
  const end = performance.now() + ORPHAN_LIMIT;
  let left = ids;
  while (left.length > 0 && performance.now() < end) {
    await sleep(50);
    left = left.filter(isAlive);
  }
  return left.length;
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

/** Two kills lose and double nothing. */
export async function holds(
  place: Place,
  files: FilesPlace,
  integrity: string | null,
): Promise<void> {
  const report = await killDuringChanges(2, place, files);
  const { acknowledged, refused: _, unanswered, slowestStart: __, made: ___, ...others } = report;
  const { files: stored, statuses, ...rest } = others;
  assert.ok(acknowledged > 0 && unanswered > 0, `${acknowledged} and ${unanswered}`);
  assert.ok(stored > 0, 'no file was sent');
  const none = {
    ...{ lost: 0, doubled: 0, ghosts: 0, gaps: 0, differences: 0, failed: 0 },
    ...{ waiting: 0, unmade: 0, damaged: 0, leftovers: 0, orphans: 0 },
  };
  assert.deepEqual(rest, { rounds: 2, ...none, integrity }, statuses);
}
