/**
 * Sends forms with rows and files, each three times in parallel, while the process is killed again and again. Every
 * second form is refused first, so that its files are parked and its page refers to them. Each form must become its
 * rows once, with its files whole, and after two days no other file may be left. Instead of being killed, the process
 * may lose the folder of its files, as when its volume is unmounted: what is written below it is gone when it is back.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createStores } from 'seeother/database';
import { createFolder } from 'seeother/files';
import { openSqlite } from 'seeother/sqlite';
import { hiddenFields } from 'seeother/testing';
import { storedKeys } from '../framework/src/testing/stored-keys.ts';
import { forEach } from './send-forms.ts';
import { startPaperSite } from './start-paper-site.ts';

const TIMES = 3;
const AUTHORS = 3;
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
 * was away, and `late` those without an answer within half a minute, or shed under load: the machine is too slow for
 * this run. `statuses` are those of the failed attempts, such as `500 503`.
 */
export async function sendFilesThreeTimes(
  count: number,
  kills: number,
  fault: 'kill' | 'unmount' = 'kill',
) {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  const [databaseFile, fileFolder] = [join(folder, 'papers.db'), join(folder, 'files')];
  let site = await startPaperSite(databaseFile, fileFolder);
  const tally = { parked: 0, broken: 0, refused: 0, late: 0, failed: 0, kills: 0 };
  const statuses = new Set<number>();
  const note = ({ status, markup }: { readonly status: number; readonly markup: string }) => {
    if (status === 503 && markup.startsWith('There are too many requests')) tally.late++;
    else if (status === 503 && fault === 'unmount') tally.refused++;
    else {
      tally.failed++;
      statuses.add(status);
    }
  };

  /** The answer; null if the process was killed before it came. */
  const send = async (form: FormData) => {
    try {
      const answer = await fetch(`${site.url}/`, {
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

  const sendUntil = async (status: number, make: () => FormData): Promise<string> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const answer = await send(make());
      if (answer?.status === status) return answer.markup;
      if (answer !== null) note(answer);
      await sleep(PAUSE);
    }
    throw new Error(`A form never got the status ${status}.`);
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
    const compared = await compare(count, databaseFile, fileFolder);
    return { forms: count, ...tally, statuses: [...statuses].join(' ') || 'none', ...compared };
  } finally {
    await site.kill();
    rmSync(folder, { recursive: true });
  }
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
  return form;
}

/** As the browser sends the page: references to parked files, and file inputs that are empty. */
function toFormOfPage(number: number, fields: readonly (readonly [string, unknown])[]): FormData {
  const form = new FormData();
  form.append('title', `Form ${number}`);
  for (const [name, text] of fields) form.append(name, String(text));
  for (let author = 0; author < AUTHORS; author++) {
    form.append(`authors.${author}.name`, `Author ${author}`);
    form.append(`authors.${author}.paper`, new File([], ''));
  }
  return form;
}

async function compare(count: number, databaseFile: string, folder: string) {
  const database = await openSqlite(databaseFile);
  const { files } = createStores(database, { fileStore: createFolder(folder) });
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
    for (let number = 0; number < count; number++)
      for (let at = 0; at < AUTHORS; at++) expected.add(`Form ${number} ${at}`);
    await files.removeExpired(new Date(Date.now() + TWO_DAYS));
    return {
      lost: [...expected].filter((place) => !found.has(place)).length,
      doubled: [...found.values()].filter((times) => times > 1).length,
      damaged,
      leftovers: (await storedKeys(folder)).filter((name) => !keys.has(name)).length,
    };
  } finally {
    await database.close();
  }
}
