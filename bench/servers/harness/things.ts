/**
 * The resources of the contenders: a database with the same items, a fresh copy of it per server, and
 * the style sheet. The application's own database is filled through its forms.
 */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../../scripts/bundle.ts';
import { createDatabase } from '../data/create-database.ts';
import { SAMPLE_ITEMS } from '../data/sample-items.ts';
import { BUNDLE, CONTENDERS, commandOf, type Name, ROOT } from './contenders.ts';
import { type RunningServer, startServer } from './start-server.ts';
import type { Subject } from './task.ts';
import { formRequest, logIn, visit } from './visit.ts';

/** On a real disk, because the cost of a write is measured. Deleted when this process ends. */
export const FOLDER = join(import.meta.dirname, '../storage', String(process.pid));
process.once('exit', () => rmSync(FOLDER, { recursive: true, force: true }));
const PUBLIC = join(FOLDER, 'public');
const CONTENDERS_DATABASE = join(FOLDER, 'contenders.db');
const SEEOTHER_DATABASE = join(FOLDER, 'seeother.db');

export async function prepareThings(): Promise<void> {
  mkdirSync(PUBLIC, { recursive: true });
  copyFileSync(join(ROOT, 'application/public/styles.css'), join(PUBLIC, 'styles.css'));
  createDatabase(CONTENDERS_DATABASE);
  await bundle(BUNDLE);
  await fillApplication(
    await startServer({
      name: 'seeother',
      command: commandOf('seeother', 'items'),
      path: '/items',
      environment: seeotherEnvironment(SEEOTHER_DATABASE),
    }),
  );
}

/** Registers the account of `logIn`, adds the sample items through the form, and stops the application. */
export async function fillApplication(server: RunningServer): Promise<void> {
  try {
    const cookie = await logIn(server.url, '/register');
    for (const { tags, quantity, ...texts } of SAMPLE_ITEMS) {
      const fields = { ...texts, quantity: String(quantity), tags: tags.join(', ') };
      const body = new URLSearchParams(fields).toString();
      const { status } = await visit(server.url, formRequest('/items', body, { Cookie: cookie }));
      if (status !== 303) throw new Error(`Cannot add a sample item: the answer is ${status}.`);
    }
  } finally {
    await server.stop();
  }
}

function isApplication(name: Name): boolean {
  return ['seeother', 'source', 'observed'].includes(name);
}

/** With a database of its own, as it was at the beginning. */
export function startFresh(
  { name, kind }: Subject,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const file = join(FOLDER, `${name}-running.db`);
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  copyFileSync(isApplication(name) ? SEEOTHER_DATABASE : CONTENDERS_DATABASE, file);
  const own = isApplication(name)
    ? seeotherEnvironment(file)
    : { DATABASE_FILE: file, PUBLIC_FOLDER: PUBLIC };
  const further = CONTENDERS.find((one) => one.name === name)?.environment;
  return startServer({
    name,
    command: commandOf(name, kind),
    path: kind === 'items' ? '/items' : '/items/42',
    environment: { ...own, ...further, ...environment },
  });
}

/** The environment of a server that obeys the signals of `obey-signals.ts`. */
export const OBEYING = {
  NODE_OPTIONS: `--import=${join(import.meta.dirname, 'obey-signals.ts')}`,
} as const;

/** Production over plain http, because only this machine connects. */
export function seeotherEnvironment(file: string): Readonly<Record<string, string>> {
  return { HOST: '127.0.0.1', DATABASE_URL: `sqlite:${file}`, ALLOW_HTTP: '1' };
}
