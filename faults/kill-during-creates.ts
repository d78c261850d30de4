/**
 * Kills the service with SIGKILL while forms are sent, at a random moment, over and over. After each
 * restart every form that had no answer is sent again: with the same key, as a browser's refresh
 * does. In the end each form is one item.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../application/config.ts';
import { startApplication } from '../application/testing/start-application.ts';
import {
  compareBooks,
  createBooks,
  type ItemRow,
  logIn,
  nextForm,
  sendForm,
} from './send-forms.ts';

/** Forms under way at once. */
const AT_ONCE = 8;

export interface KillReport {
  readonly rounds: number;
  readonly acknowledged: number;
  readonly unanswered: number;
  readonly lost: number;
  readonly ghosts: number;
  readonly doubled: number;
  readonly gaps: number;
  readonly integrity: string;
  /** Milliseconds from the start of the process to its first answer: the longest. */
  readonly slowestStart: number;
}

export async function killDuringCreates(
  rounds: number,
  environment: Environment = {},
): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  const databaseFile = join(folder, 'application.db');
  const settings = { SAMPLE_ITEMS: '0', DATABASE_URL: `sqlite:${databaseFile}`, ...environment };
  let site = await startApplication(settings);
  const { url } = site;
  const again = { ...settings, PORT: new URL(url).port };
  const cookie = await logIn(url);
  const books = createBooks();
  let unanswered = 0;
  let slowestStart = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      let isKilled = false;
      const sendOn = async () => {
        while (!isKilled) {
          if (!(await sendForm(books, nextForm(books), url, cookie))) return;
        }
      };
      const senders = Array.from({ length: AT_ONCE }, sendOn);
      await sleep(10 + Math.random() * 490);
      const ended = once(site.process, 'close');
      site.process.kill('SIGKILL');
      isKilled = true;
      await Promise.all([ended, ...senders]);

      const start = performance.now();
      site = await startApplication(again);
      await fetch(`${url}/items`);
      slowestStart = Math.max(slowestStart, performance.now() - start);
      for (const form of books.forms.filter(({ path }) => path === null)) {
        unanswered++;
        await sendForm(books, form, url, cookie);
      }
    }
  } finally {
    await site.stop();
  }
  const database = new DatabaseSync(databaseFile, { readOnly: true });
  const rows = database.prepare('select number, name from items').all() as unknown as ItemRow[];
  const [check] = database.prepare('pragma integrity_check').all();
  database.close();
  rmSync(folder, { recursive: true });
  return {
    rounds,
    acknowledged: books.forms.filter(({ path }) => path !== null).length,
    unanswered,
    ...compareBooks(books, rows),
    integrity: String(check?.['integrity_check']),
    slowestStart: Math.round(slowestStart),
  };
}
