/**
 * `npm run timing`: measures whether the time of a log-in reveals which usernames exist. A thousand
 * log-ins with known usernames and a thousand with unknown ones, all with wrong passwords, run through
 * the router in pairs of random order, so that other load affects both. Each attempt has its own
 * username and address, so the throttle never answers.
 */
import { createPasswords } from 'seeother/accounts';
import { post } from 'seeother/testing';
import { openDatabase } from '../application/database/open-database.ts';
import { createModels } from '../application/models.ts';
import { readConfig } from '../application/settings/config.ts';
import { createTestDatabase } from '../application/testing/create-test-database.ts';
import { compareSamples } from '../bench/compare/statistics.ts';
import { median } from '../bench/servers/harness/statistics.ts';
import { createIdleApplication } from './create-idle-application.ts';

const TRIES = 1_000;
const WARM_UP = 50;

const { url, drop } = await createTestDatabase('sqlite');
const database = await openDatabase(url);
try {
  await addAccounts();
  await measure();
} finally {
  await database.close();
  await drop();
}

async function addAccounts(): Promise<void> {
  const hash = await createPasswords().hash('correct horse battery');
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
  const { application } = createIdleApplication(
    createModels(database, { config: readConfig({}), logSecurity: () => {} }),
  );
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
  const { value, low, high } = compareSamples(known, unknown);
  const ratio = `${value.toFixed(3)}, with 95 % confidence ${low.toFixed(3)} to ${high.toFixed(3)}`;
  process.stdout.write(`known names    median ${median(known).toFixed(3)} ms
unknown names  median ${median(unknown).toFixed(3)} ms
ratio of the pairs    ${ratio}: the goal is 0.98 to 1.02
`);
}
