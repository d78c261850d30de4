import assert from 'node:assert/strict';
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createVisitor } from 'seeother/testing';
import { createBarePostgresDatabase } from '../application/testing/postgres/cluster.ts';
import { skipWithoutPrograms } from '../application/testing/postgres/find-programs.ts';
import { reachInstance } from '../application/testing/reach-instance.ts';
import {
  createProject,
  ENVIRONMENT,
  readPackage,
  runTests,
  startProject,
  waitLonger,
} from './made-project.ts';

/** Starts the application and asks for its first page and its health, which reads the database. */
async function open(project: string, environment = {}): Promise<void> {
  const { url, stop } = await startProject(project, environment);
  try {
    const page = await (await fetch(url)).text();
    assert.match(page, /There are no items here/);
    const health = await fetch(new URL('/healthz', url));
    assert.equal(await health.text(), 'ok\n');
  } finally {
    await stop();
  }
}

test('the application passes its tests and serves', async () => {
  const project = createProject('things', '--template', 'app');
  assert.deepEqual(readdirSync(project, { recursive: true }).sort(), [
    '.gitignore',
    'AGENTS.md',
    'account.ts',
    'accounts.ts',
    'database.ts',
    'items.ts',
    'layout.ts',
    'links.ts',
    'main.ts',
    'open-database.ts',
    'package.json',
    'prepare.cjs',
    'public',
    join('public', 'styles.css'),
    'router.ts',
    'site.test.ts',
    'tsconfig.json',
  ]);
  runTests(project, 20);
  await open(project);
});

const WAYS = ['--sign-in', 'passkeys,codes,company,link'];

/** Runs `npm run account` as the script of the project says. */
function runAccount(project: string, ...words: readonly string[]) {
  const [, ...args] = readPackage(project).scripts.account.split(' ');
  const options = { cwd: project, env: ENVIRONMENT, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [...args, ...words], options);
}

test('a terminal invites an administrator while the site runs, and says what is wrong in a line', async () => {
  for (const [name, ways] of [
    ['terminal', []],
    ['terminal-with-ways', WAYS],
  ] as const) {
    const project = createProject(name, '--template', 'app', ...ways);
    const { url, stop } = await startProject(project);
    const visitor = createVisitor(reachInstance(() => url));
    const { stdout, stderr } = runAccount(project, 'invite', 'admin');
    const [link = ''] = /^\/register\?token=\S+$/m.exec(stdout) ?? assert.fail(stderr);
    const password = 'correct horse battery';
    await visitor.submit(link, { username: 'Ada', password, passwordagain: password });
    assert.equal((await visitor.get('/people')).status, 200);
    await stop();
    const wrong = runAccount(project, 'password', 'nobody');
    assert.equal(wrong.status, 1);
    assert.equal(
      wrong.stderr,
      'Cannot run "password nobody": no account has this username or address; check its spelling.\n',
    );
  }
});

test('the application does the same on PostgreSQL', { skip: skipWithoutPrograms() }, async (t) => {
  const project = createProject('things-postgres', '--template', 'app', '--database', 'postgres');
  waitLonger(project);
  const tested = await createBarePostgresDatabase();
  t.after(tested.drop);
  runTests(project, 20, { TEST_DATABASE_URL: tested.url });
  const served = await createBarePostgresDatabase();
  t.after(served.drop);
  await open(project, { DATABASE_URL: served.url });
});

/** Starts the project as its settings say, and resolves to what it has printed in place of a page. */
function startRefused(project: string, environment = {}): string {
  const options = { cwd: project, env: { ...ENVIRONMENT, ...environment }, encoding: 'utf8' };
  const args = ['--require', './prepare.cjs', 'main.ts'];
  const { status, stderr } = spawnSync(process.execPath, args, options as SpawnSyncOptions);
  assert.equal(status, 1);
  return String(stderr);
}

test('an application with every way to sign in passes its tests, and prints its mails', async () => {
  const project = createProject('ways', ...WAYS);
  assert.deepEqual(Object.keys(readPackage(project).dependencies), [
    '@simplewebauthn/server',
    'jose',
    'nodemailer',
    'openid-client',
    'otpauth',
    'qr',
    'seeother',
  ]);
  runTests(project, 24);
  await open(project);
  const { url, log, stop } = await startProject(project);
  const visitor = createVisitor(reachInstance(() => url));
  const password = 'correct horse battery';
  await visitor.submit('/register', { username: 'Ada', password, passwordagain: password });
  await visitor.submit('/account/email', { email: 'ada@example.org' });
  while (!/^Mail to ada@example\.org: .*\n[\s\S]*^http:\/\/\S+token=/m.test(log()))
    await setTimeout(20);
  await stop();
});

test('in production the settings of the ways to sign in have to be there', () => {
  const project = createProject('ways-in-production', ...WAYS);
  const env = { PUBLIC_ORIGIN: 'https://items.example', PORT: '0' };
  const url = 'smtps://user:password@mail.example';
  assert.equal(
    startRefused(project, env),
    `Cannot start: MAIL_URL is not set. Write it into .env, such as ${url}\n`,
  );
  const mail = { MAIL_URL: url, MAIL_FROM: 'items@mail.example' };
  assert.match(
    startRefused(project, { ...env, ...mail }),
    /^Cannot start: OPENID_ISSUER is not set\./,
  );
  const company = {
    OPENID_ISSUER: 'https://login.example',
    OPENID_CLIENT_ID: 'items',
    OPENID_CLIENT_SECRET: 'a secret',
  };
  assert.match(
    startRefused(project, { ...env, ...mail, ...company, SECRETS: '' }),
    /^Cannot start: SECRETS is not set\./,
  );
});

test('each project has its own secrets, which Git ignores', () => {
  const read = (name: string) => readFileSync(join(createProject(name, ...WAYS), '.env'), 'utf8');
  const [one, other] = [read('secret-one'), read('secret-other')];
  assert.match(one, /^SECRETS=[\w+/]{43}=$/m);
  assert.match(one, /^#MAIL_URL=/m);
  assert.notEqual(one, other);
});

test('with ways to sign in, the application does the same on PostgreSQL, with the pages of a table', {
  skip: skipWithoutPrograms(),
}, async (t) => {
  const crud = ['--crud', 'books', '--one', 'book', '--database', 'postgres'];
  const project = createProject('ways-postgres', ...WAYS, ...crud);
  waitLonger(project);
  const tested = await createBarePostgresDatabase();
  t.after(tested.drop);
  runTests(project, 24 + 10, { TEST_DATABASE_URL: tested.url });
});
