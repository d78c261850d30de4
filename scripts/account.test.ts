/** Runs the account commands as processes. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { encodeFields } from 'seeother/testing';
import type { Environment } from '../application/settings/config.ts';
import { createTestFolder, openTestDatabase } from '../application/testing/open-test-database.ts';
import { runScript } from '../application/testing/run-script.ts';
import { startInProcess } from '../application/testing/start-in-process.ts';

const PASSWORD = 'correct horse battery';
const OTHER = 'another horse battery';

const registered = (username: string) => ({
  username,
  password: PASSWORD,
  passwordagain: PASSWORD,
});

/** As a browser sends the cookies of the answer back. */
const cookieOf = ({ headers }: Response) =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

const runAccount = (args: readonly string[], environment: Environment) =>
  runScript('account', args, environment);

/** Standard error is one line of the security log. */
function assertEvent(
  errors: string,
  security: string,
  account: string | null,
  detail = 'by terminal',
): void {
  const { time, ...event } = JSON.parse(errors);
  assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual(event, { security, account, detail });
}

async function startSite(t: TestContext, environment: Environment) {
  const site = await startInProcess(environment);
  t.after(() => site.stop());
  const send = (path: string, fields: Record<string, string>) =>
    fetch(site.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: encodeFields(fields),
    });
  return { site, send, database: { DATABASE_URL: site.databaseUrl } };
}

test('a command in a folder without a database makes none', async (t) => {
  const file = join(createTestFolder(t), 'application.db');
  for (const [name, args] of [
    ['account', ['invite']],
    ['items', ['export', 'items.csv']],
    ['database', ['copy', `sqlite:${file}`, `sqlite:${file}.copy`]],
  ] as const) {
    const { code, errors } = await runScript(name, args, { DATABASE_URL: `sqlite:${file}` });
    assert.equal(code, 1);
    assert.match(
      errors,
      /^Cannot open the database \S+: there is no such file\. Run the command in/,
    );
    assert.equal(existsSync(file), false, name);
  }
});

test('an invitation from the terminal creates the first account of a running service, once', async (t) => {
  const { site, send, database } = await startSite(t, { REGISTRATION: 'invite' });
  const { host } = new URL(site.url);
  const [name = '', port = ''] = host.split(':');
  const { code, output, errors } = await runAccount(['invite'], {
    ...database,
    HOST: name,
    PORT: port,
  });
  assert.equal(code, 0);
  assertEvent(errors, 'invitation made', null, 'member, by terminal');
  const [link = '', words = ''] = output.split('\n');
  assert.match(
    words,
    /^One person can make an account with this link, within 7 days\. The link can be opened on this computer only,/,
  );
  assert.ok(link.startsWith(`${site.url}/register?token=`), link);
  assert.equal(errors.includes(new URL(link).searchParams.get('token') ?? ''), false);
  assert.equal((await fetch(link)).status, 200);
  assert.equal((await send(link.slice(site.url.length), registered('ada'))).status, 303);
  assert.equal((await fetch(link)).status, 403);
});

test('the link starts with PUBLIC_ORIGIN, if it is set', async (t) => {
  const { output } = await runAccount(['invite'], {
    DATABASE_URL: (await openTestDatabase(t, 'sqlite')).url,
    PUBLIC_ORIGIN: 'https://things.example',
  });
  assert.match(
    output,
    /^https:\/\/things\.example\/register\?token=[\w-]{43}\nOne person .* within 7 days\.\n$/,
  );
});

test('somebody without a password chooses one by a link, while the service runs', async (t) => {
  const { site, send, database } = await startSite(t, {});
  const cookie = cookieOf(await send('/register', registered('Ada')));
  // Its name in earlier releases.
  const { code, output, errors } = await runAccount(['reset-password', 'ada'], {
    ...database,
    PUBLIC_ORIGIN: site.url,
  });
  assert.equal(code, 0);
  assertEvent(errors, 'reset link made', 'Ada');
  const [link = '', words = ''] = output.split('\n');
  assert.equal(errors.includes(link), false);
  assert.match(
    words,
    /^Ada can choose a new password with this link, within 24 hours\. The old one no longer works, .* The link can be/,
  );
  const page = await fetch(`${site.url}/items/new`, { headers: { cookie }, redirect: 'manual' });
  assert.equal(page.status, 303);
  assert.equal((await send('/login', { username: 'ada', password: PASSWORD })).status, 401);
  const chosen = { password: OTHER, passwordagain: OTHER };
  assert.equal((await send(link.slice(site.url.length), chosen)).status, 303);
  assert.equal((await send('/login', { username: 'ada', password: OTHER })).status, 303);
});

test('an account is disabled and enabled while the service runs', async (t) => {
  const { site, send, database } = await startSite(t, { REGISTRATION: 'open' });
  assert.equal((await send('/register', registered('bea'))).status, 303);
  const cookie = cookieOf(await send('/register', registered('Ada')));
  const statusOf = async () =>
    (await fetch(`${site.url}/items/new`, { headers: { cookie }, redirect: 'manual' })).status;
  assert.equal(await statusOf(), 200, 'whoever registers is a member');
  const disabled = await runAccount(['disable', 'ada'], database);
  assert.equal(disabled.output, 'Ada is logged out everywhere, and cannot log in.\n');
  assert.equal(await statusOf(), 303);
  const ada = { username: 'ada', password: PASSWORD };
  assert.equal((await send('/login', ada)).status, 401);
  const link = await runAccount(['password', 'ada'], database);
  assert.match(link.output, / Enable the account first: Ada is disabled\. The link can be/);
  const enabled = await runAccount(['enable', 'ada'], database);
  assert.equal(enabled.output, 'Ada can log in again.\n');
  assertEvent(disabled.errors, 'account disabled', 'Ada');
  assertEvent(enabled.errors, 'account enabled', 'Ada');
  assert.equal((await send('/login', ada)).status, 401, 'the link ended its password');
  const factors = await runAccount(['factors', 'ada'], database);
  assert.deepEqual(factors, { code: 0, output: 'Ada has no second factor.\n', errors: '' });
});

test('a role is changed while the service runs, and one administrator remains', async (t) => {
  const { send, database } = await startSite(t, { REGISTRATION: 'open' });
  for (const username of ['Ada', 'bo-']) await send('/register', registered(username));
  const kept = await runAccount(['role', 'ada', 'reader'], database);
  assert.equal(kept.code, 1);
  assert.match(kept.errors, /^Cannot run "role ada reader": no other administrator would remain; /);
  assert.equal((await runAccount(['disable', 'ada'], database)).code, 1);
  const raised = await runAccount(['role', 'bo-', 'administrator'], database);
  assert.equal(
    raised.output,
    'The role of bo- is administrator. Now bo- can change items, remove them for ever, and manage people.\n',
  );
  assertEvent(raised.errors, 'role changed', 'bo-', 'administrator, by terminal');
  const lowered = await runAccount(['role', 'ada', 'reader'], database);
  assert.equal(lowered.output, 'The role of Ada is reader. Now ada can look at items.\n');
});

test('a failure is one clear line and exit code 1', async (t) => {
  const folder = createTestFolder(t);
  const database = { DATABASE_URL: (await openTestDatabase(t, 'sqlite')).url };
  const noDatabase = join(folder, 'notes.txt');
  writeFileSync(noDatabase, 'These are not tables. '.repeat(100));
  const refusals: readonly (readonly [readonly string[], Environment, RegExp])[] = [
    [
      [],
      database,
      /^Cannot run: no command was given\. Use "npm run account -- invite", .* Commands: invite \[ROLE\], /,
    ],
    [
      ['invitation'],
      database,
      /^Cannot run "invitation": use invite \[ROLE\], password USERNAME, /,
    ],
    [['invite', 'bo'], database, /^Cannot run "invite bo": the roles are reader, member, admin/],
    [['invite', 'member', 'bo'], database, /^Cannot run "invite member bo": use invite \[ROLE\]/],
    [['password'], database, /^Cannot run "password": use /],
    [['reset-password', 'a', 'b'], database, /^Cannot run "password a b": use /],
    [['role', 'ada'], database, /^Cannot run "role ada": use .* role USERNAME ROLE, /],
    [['toString', 'ada'], database, /^Cannot run "toString ada": use /],
    ...['disable', 'enable', 'password', 'factors'].map(
      (command) =>
        [
          [command, 'nobody'],
          database,
          /nobody": no account has this username or address; check its spelling\./,
        ] as const,
    ),
    [['invite'], { DATABASE_URL: `sqlite:${noDatabase}` }, /the file is not a SQLite database/],
    [['invite'], { ...database, PORT: 'x' }, /^Cannot start with PORT=x: /],
  ];
  for (const [args, environment, words] of refusals) {
    const { code, output, errors } = await runAccount(args, environment);
    assert.equal(code, 1, args.join(' '));
    assert.equal(output, '');
    assert.match(errors, /^[^\n]+\n$/, 'standard error has not exactly one line');
    assert.match(errors, words);
  }
});
