/**
 * Sends forms with rows and files, each three times in parallel, while the process is killed again and again. Every
 * second form is refused first, so that its files are parked and its page refers to them. Each form must become its
 * rows once, with its files whole, and after two days no other file may be left. The plans of all forms have few
 * contents, which are kept and removed at once: each must be stored once. Instead of being killed, the process
 * may lose the folder of its files, as when its volume is unmounted: what is written below it is gone when it is back.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hiddenFields } from 'seeother/testing';
import { storedKeys } from '../framework/src/testing/stored-keys.ts';
import { openPapers } from './paper-stores.ts';
import { forEach } from './send-forms.ts';
import { startPaperSite } from './start-paper-site.ts';

const TIMES = 3;
const AUTHORS = 3;
/** The contents of all plans. Those of every second form are removed again. */
const PLANS = ['cellar', 'attic', 'roof'];
/** Forms under way at once. */
const AT_ONCE = 4;
/** Milliseconds before a form is sent again, and how often that is tried. */
const PAUSE = 50;
const MAX_ATTEMPTS = 400;
/** Milliseconds without the folder, and with it: longer than one form takes. */
const AWAY = 700;
const TWO_DAYS = 2 * 86_400_000;

/**
 * In what it reports, `broken` are attempts that a kill has interrupted, `refused` those with a 503 while the folder
 * was away, or while forms waited too long for each other on PostgreSQL, and `late` those without an answer within half
 * a minute, or shed under load: the machine is too slow for this run. `statuses` are those of the failed attempts, such
 * as `500 503`.
 */
export async function sendFilesThreeTimes(
  count: number,
  kills: number,
  fault: 'kill' | 'unmount' = 'kill',
  places: { readonly database?: string; readonly bucket?: Bucket } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  const databaseFile = places.database ?? join(folder, 'papers.db');
  const fileFolder = places.bucket?.address ?? join(folder, 'files');
  const listKeys = places.bucket?.list ?? (() => storedKeys(fileFolder));
  let site = await startPaperSite(databaseFile, fileFolder);
  const tally = { parked: 0, broken: 0, refused: 0, late: 0, failed: 0, kills: 0 };
  const statuses = new Set<number>();
  // On PostgreSQL, forms with the same plans wait for each other, and for what a killed process has left.
  const mayRefuse = fault === 'unmount' || places.database !== undefined;
  const note = ({ status, markup }: { readonly status: number; readonly markup: string }) => {
    if (status === 503 && markup.startsWith('There are too many requests')) tally.late++;
    else if (status === 503 && mayRefuse) tally.refused++;
    else {
      tally.failed++;
      statuses.add(status);
    }
  };

  /** The answer; null if the process was killed before it came. */
  const send = async (form: FormData | URLSearchParams, path = '/') => {
    try {
      const answer = await fetch(`${site.url}${path}`, {
        method: 'POST',
        body: form,
        redirect: 'manual',
        signal: AbortSignal.timeout(30_000),
      });
      return { status: answer.status, markup: await answer.text() };
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') tally.late++;
      else tally.broken++;
      return null;
    }
  };

  const sendUntil = async (
    status: number,
    make: () => FormData | URLSearchParams,
    path = '/',
  ): Promise<string> => {
    let last = 'no answer';
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const answer = await send(make(), path);
      if (answer?.status === status) return answer.markup;
      if (answer !== null) note(answer);
      if (answer !== null) last = `${answer.status}: ${answer.markup.replaceAll(/<[^>]*>/g, ' ')}`;
      await sleep(PAUSE);
    }
    throw new Error(`A form never got the status ${status}, but ${last.slice(0, 2_000)}`);
  };

  const sendForm = async (number: number) => {
    let whole = () => toForm(number);
    if (number % 2 === 1) {
      const page = await sendUntil(400, () => toForm(number, ''));
      const fields = Object.entries(hiddenFields(page));
      if (
        fields.some(([name, text]) => name.endsWith('.paper') && /^[0-9a-f]{64} /.test(`${text}`))
      )
        tally.parked++;
      whole = () => toFormOfPage(number, fields);
    }
    const copies = Array.from({ length: TIMES }, () => send(whole()));
    for (const answer of await Promise.all(copies))
      if (answer !== null && answer.status !== 303) note(answer);
    await sendUntil(303, whole);
    if (number % 4 < 2) await sendUntil(303, () => toRemoval(number), '/plans');
  };

  const killed = async () => {
    for (tally.kills = 0; tally.kills < kills; tally.kills++) {
      const due = Math.floor(((tally.kills + 1) * count) / (kills + 1));
      while (started < due) await sleep(5);
      if (fault === 'unmount') {
        await unmount(fileFolder);
        continue;
      }
      await site.kill();
      site = await startPaperSite(databaseFile, fileFolder);
    }
  };
  let started = 0;
  const numbers = Array.from({ length: count }, (_, number) => number);
  const sendNext = async (number: number) => {
    started++;
    await sendForm(number);
  };
  try {
    await Promise.all([killed(), forEach(numbers, AT_ONCE, sendNext)]);
    await site.kill();
    const compared = await compare(count, databaseFile, fileFolder, listKeys);
    return { forms: count, ...tally, statuses: [...statuses].join(' ') || 'none', ...compared };
  } finally {
    await site.kill();
    rmSync(folder, { recursive: true });
  }
}

interface Bucket {
  readonly address: string;
  /** The keys of all files. */
  readonly list: () => Promise<readonly string[]>;
}

/** For a while, its place is an empty folder, as below a volume that is not mounted. */
async function unmount(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  renameSync(folder, `${folder}-volume`);
  mkdirSync(folder);
  await sleep(AWAY);
  renameSync(folder, `${folder}-below-${randomUUID()}`);
  renameSync(`${folder}-volume`, folder);
  await sleep(AWAY);
}

/** Different for each form and author, of 1 to 100 kB. */
function contentOf(number: number, author: number): Uint8Array<ArrayBuffer> {
  const size = 1_000 + ((number * 7_919 + author * 104_729) % 99_000);
  return new Uint8Array(size).fill((number + author) % 251).map((byte, at) => {
    if (at < 8) return (number >> (8 * (at % 4))) & 255;
    return at === 8 ? author : byte;
  });
}

function toForm(number: number, title = `Form ${number}`): FormData {
  const form = new FormData();
  form.append('_once', `form-${number}`);
  form.append('title', title);
  for (let author = 0; author < AUTHORS; author++) {
    form.append(`authors.${author}.name`, `Author ${author}`);
    const file = new File([contentOf(number, author)], `${number}-${author}.txt`);
    form.append(`authors.${author}.paper`, file);
  }
  // In any order, also twice.
  for (const at of [number, number + (number % 3)])
    form.append('plans', new File([`the ${PLANS[at % PLANS.length]}`], `${at}.svg`));
  return form;
}

/** As the browser sends the page: references to parked files, and file inputs that are empty. */
function toFormOfPage(number: number, fields: readonly (readonly [string, unknown])[]): FormData {
  const form = new FormData();
  form.append('title', `Form ${number}`);
  for (const [name, texts] of fields)
    for (const text of [texts].flat()) form.append(name, String(text));
  for (let author = 0; author < AUTHORS; author++) {
    form.append(`authors.${author}.name`, `Author ${author}`);
    form.append(`authors.${author}.paper`, new File([], ''));
  }
  form.append('plans', new File([], ''));
  return form;
}

function toRemoval(number: number): URLSearchParams {
  return new URLSearchParams({ title: `Form ${number}` });
}

async function compare(
  count: number,
  databaseFile: string,
  place: string,
  listKeys: Bucket['list'],
) {
  const { database, stores } = await openPapers(databaseFile, place);
  const { files } = stores;
  const [found, expected] = [new Map<string, number>(), new Set<string>()];
  let damaged = 0;
  try {
    const { rows } = await database.read.run<{ title: string; at: number; file: string }>(
      'select title, at, file from papers',
    );
    const keys = new Set<string>();
    for (const { title, at, file } of rows) {
      const place = `${title} ${at}`;
      found.set(place, (found.get(place) ?? 0) + 1);
      const record = await files.find(file);
      if (record === null) {
        damaged++;
        continue;
      }
      keys.add(record.key);
      const hash = createHash('sha256');
      for await (const chunk of await files.bytes.read(record.key)) hash.update(chunk);
      const content = contentOf(Number(title.slice(5)), at);
      if (hash.digest('hex') !== createHash('sha256').update(content).digest('hex')) damaged++;
    }
    const plans = await database.read.run<{ title: string; at: number; file: string }>(
      'select title, at, file from plans',
    );
    const contents = new Map<string, Set<string>>();
    for (const { title, at, file } of plans.rows) {
      const place = `plan of ${title} ${at}`;
      found.set(place, (found.get(place) ?? 0) + 1);
      const record = await files.find(file);
      const bytes = `${Buffer.concat(await Array.fromAsync(files.read(file)))}`;
      if (record === null || !PLANS.includes(bytes.slice(4))) damaged++;
      contents.set(bytes, (contents.get(bytes) ?? new Set()).add(record?.key ?? ''));
      keys.add(record?.key ?? '');
    }
    for (let number = 0; number < count; number++)
      for (let at = 0; at < AUTHORS; at++) {
        expected.add(`Form ${number} ${at}`);
        if (at < 2 && number % 4 >= 2) expected.add(`plan of Form ${number} ${at}`);
      }
    await files.removeExpired(new Date(Date.now() + TWO_DAYS));
    return {
      lost: [...expected].filter((place) => !found.has(place)).length,
      // Of a plan that was removed.
      ghosts: [...found.keys()].filter((place) => !expected.has(place)).length,
      doubled: [...found.values()].filter((times) => times > 1).length,
      damaged,
      twice: [...contents.values()].filter(({ size }) => size > 1).length,
      leftovers: (await listKeys()).filter((name) => !keys.has(name)).length,
    };
  } finally {
    await database.close();
  }
}
