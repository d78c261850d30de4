/**
 * `npm run timing`: measures whether the time of a log-in reveals which usernames exist. A thousand
 * log-ins with known usernames and a thousand with unknown ones, all with wrong passwords, run through
 * the router in pairs of random order, so that other load affects both. Each attempt has its own
 * username and address, so the throttle never answers.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadFiles } from 'seeother';
import { post } from 'seeother/testing';
import { hashPassword } from '../application/accounts/password.ts';
import { openDatabase } from '../application/database/open-database.ts';
import { createModels } from '../application/models.ts';
import { createApplication } from '../application/router.ts';
import { readConfig } from '../application/settings/config.ts';
import { ROOT } from './project-files.ts';

const TRIES = 1_000;
const WARM_UP = 50;

const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
const database = await openDatabase(`sqlite:${join(folder, 'application.db')}`);
try {
  await addAccounts();
  await measure();
} finally {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
}

async function addAccounts(): Promise<void> {
  const hash = await hashPassword('correct horse battery');
  const created = new Date().toISOString();
  await database.write(async (transaction) => {
    for (let id = 1; id <= TRIES; id++) {
      const name = `known-${id}`;
      const row = { id, username: name, username_key: name, password_hash: hash };
      await transaction
        .insertInto('accounts')
        .values({ ...row, created_at: created })
        .execute();
    }
  });
}

async function measure(): Promise<void> {
  const application = createApplication({
    config: readConfig({}),
    models: createModels(database),
    files: loadFiles(join(ROOT, 'application', 'public')),
    health: {
      checkDatabase: async () => {},
      writeFailure: () => null,
      canStoreFiles: () => true,
      isDraining: () => false,
    },
    log: () => {},
    report: () => {},
    logSecurity: () => {},
  });
  let tries = 0;
  const time = async (username: string): Promise<number> => {
    const address = `10.${tries >> 16}.${(tries >> 8) & 255}.${tries & 255}`;
    tries++;
    const request = post('/login', { username, password: 'a wrong guess' }, { address });
    const start = performance.now();
    const { status } = await application.handle(request);
    const end = performance.now();
    if (status !== 401) throw new Error(`A log-in as ${username} was answered ${status}, not 401.`);
    return end - start;
  };
  for (let count = 0; count < WARM_UP; count++) await time(`warm-up-${count}`);
  const known: number[] = [];
  const unknown: number[] = [];
  for (let id = 1; id <= TRIES; id++) {
    const pair = [
      async () => known.push(await time(`known-${id}`)),
      async () => unknown.push(await time(`strange-${id}`)),
    ];
    for (const one of Math.random() < 0.5 ? pair : pair.toReversed()) await one();
  }
  report(known, unknown);
}

function report(known: readonly number[], unknown: readonly number[]): void {
  const [one, other] = [medianOf(known), medianOf(unknown)];
  const gap = (Math.abs(one - other) / one) * 100;
  process.stdout.write(
    `known names    median ${one.toFixed(3)} ms
unknown names  median ${other.toFixed(3)} ms
gap            ${gap.toFixed(2)} % (the goal is less than 2 %)
Mann-Whitney   p = ${mannWhitney(known, unknown).toFixed(3)} (above 0.01: no difference is seen)
`,
  );
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}

/** The two-sided p of the U test, by normal approximation; accurate for samples of this size. */
function mannWhitney(first: readonly number[], second: readonly number[]): number {
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ].sort((one, other) => one.value - other.value);
  const ranks = all.reduce((sum, { isFirst }, at) => sum + (isFirst ? at + 1 : 0), 0);
  const pairs = first.length * second.length;
  const u = ranks - (first.length * (first.length + 1)) / 2;
  const z = (u - pairs / 2) / Math.sqrt((pairs * (all.length + 1)) / 12);
  return 2 * (1 - normal(Math.abs(z)));
}

/** The standard normal distribution function (Abramowitz and Stegun 26.2.17). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const factors = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = factors.reduce((total, factor, at) => total + factor * t ** (at + 1), 0);
  return 1 - (Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}
