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

const runAccount = (args: readonly string[], environment: Environment) =>
  runScript('account', args, environment);

/** Standard error is one line of the security log. */
function assertEvent(errors: string, security: string, account: string | null): void {
  const { time, ...event } = JSON.parse(errors);
  assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual(event, { security, account });
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
  assertEvent(errors, 'invitation made', null);
  const [link = '', words = ''] = output.split('\n');
  assert.match(
    words,
    /^One person can make an account with this link, until \d+ \w+ 20\d\d, .* UTC\. It can be opened on this computer only,/,
  );
  assert.ok(link.startsWith(`${site.url}/register?invitation=`), link);
  const invitation = new URL(link).searchParams.get('invitation') ?? '';
  assert.equal((await fetch(link)).status, 200);
  const ada = { username: 'ada', password: PASSWORD, invitation };
  assert.equal((await send('/register', ada)).status, 303);
  assert.equal((await fetch(link)).status, 403);
});

test('the link starts with PUBLIC_ORIGIN, if it is set', async (t) => {
  const { output } = await runAccount(['invite'], {
    DATABASE_URL: (await openTestDatabase(t, 'sqlite')).url,
    PUBLIC_ORIGIN: 'https://things.example',
  });
  assert.match(output, /^https:\/\/things\.example\/register\?invitation=[\w-]{43}\n/);
});

test('a password reset while the service runs invalidates the old password and all sessions', async (t) => {
  const { site, send, database } = await startSite(t, {});
  const registered = await send('/register', { username: 'Ada', password: PASSWORD });
  const cookie = registered.headers.getSetCookie().map((line) => line.split(';')[0]);
  const { code, output, errors } = await runAccount(['reset-password', 'ada'], database);
  assert.equal(code, 0);
  assertEvent(errors, 'password reset', 'Ada');
  assert.equal(errors.includes(output.split('\n')[0] ?? ''), false);
  const [password = '', words] = output.split('\n');
  assert.match(password, /^[a-z2-9]{4}(-[a-z2-9]{4}){6}$/);
  assert.match(
    words ?? '',
    /^This is the new password of Ada, who is logged out everywhere\. It works until \d+ .* UTC, and must be changed at the next log-in\.$/,
  );

  const headers = { cookie: cookie.join('; ') };
  const page = await fetch(`${site.url}/items/new`, { headers, redirect: 'manual' });
  assert.equal(page.status, 303);
  assert.equal((await send('/login', { username: 'ada', password: PASSWORD })).status, 401);
  assert.equal((await send('/login', { username: 'ada', password })).status, 303);
});

test('an account is disabled and enabled while the service runs', async (t) => {
  const { site, send, database } = await startSite(t, { REGISTRATION: 'open' });
  const ada = { username: 'Ada', password: PASSWORD };
  assert.equal((await send('/register', { ...ada, username: 'bea' })).status, 303);
  const registered = await send('/register', ada);
  const headers = { cookie: registered.headers.getSetCookie().join('; ') };
  const statusOf = async () =>
    (await fetch(`${site.url}/items/new`, { headers, redirect: 'manual' })).status;
  assert.equal(await statusOf(), 200);
  const disabled = await runAccount(['disable', 'ada'], database);
  assert.match(disabled.output, /^Disabled Ada, who is logged out everywhere and cannot log in\./);
  assert.equal(await statusOf(), 303);
  assert.equal((await send('/login', ada)).status, 401);
  const reset = await runAccount(['reset-password', 'ada'], database);
  assert.match(reset.output, /\nThe account is disabled: "npm run account -- enable Ada" lets Ada/);
  const enabled = await runAccount(['enable', 'ada'], database);
  assert.equal(enabled.output, 'Enabled Ada, who can log in again.\n');
  assertEvent(disabled.errors, 'account disabled', 'Ada');
  assertEvent(enabled.errors, 'account enabled', 'Ada');
  const [password = ''] = reset.output.split('\n');
  assert.equal((await send('/login', { ...ada, password })).status, 303);
});

test('a role is changed while the service runs, and one administrator remains', async (t) => {
  const { send, database } = await startSite(t, { REGISTRATION: 'open' });
  for (const username of ['Ada', 'bo-']) await send('/register', { username, password: PASSWORD });
  const kept = await runAccount(['role', 'ada', 'reader'], database);
  assert.equal(kept.code, 1);
  assert.match(
    kept.errors,
    /^Cannot change the role of "ada": no other administrator would remain\. Run/,
  );
  assert.equal((await runAccount(['disable', 'ada'], database)).code, 1);
  const raised = await runAccount(['role', 'bo-', 'administrator'], database);
  assert.equal(
    raised.output,
    'The role of bo- is administrator: bo- can change items, remove them for ever, and manage people.\n',
  );
  const { time: _time, ...event } = JSON.parse(raised.errors);
  assert.deepEqual(event, { security: 'role changed', account: 'bo-', detail: 'administrator' });
  const lowered = await runAccount(['role', 'ada', 'reader'], database);
  assert.equal(lowered.output, 'The role of Ada is reader: Ada can look at items.\n');
});

test('a failure is one clear line and exit code 1', async (t) => {
  const folder = createTestFolder(t);
  const database = { DATABASE_URL: (await openTestDatabase(t, 'sqlite')).url };
  const noDatabase = join(folder, 'notes.txt');
  writeFileSync(noDatabase, 'These are not tables. '.repeat(100));
  const refusals: readonly (readonly [readonly string[], Environment, RegExp])[] = [
    [[], database, /^Cannot run: no command was given\. Use /],
    [['invitation'], database, /^Cannot run "invitation": there is no such command\. Use /],
    [['invite', 'bo'], database, /^Cannot run "invite": it takes no argument\. Use /],
    [['reset-password'], database, /^Cannot run "reset-password": it takes one username\. Use /],
    [['reset-password', 'a', 'b'], database, /it takes one username/],
    [['role', 'ada'], database, /^Cannot run "role": it takes a username, and one of reader, /],
    [['role', 'ada', 'king'], database, /it takes a username, and one of reader, member, admin/],
    [['role', 'nobody', 'reader'], database, /of "nobody": no account has this username\. Check/],
    [['toString', 'ada'], database, /^Cannot run "toString": there is no such command\. Use /],
    [
      ['disable', 'nobody'],
      database,
      /^Cannot disable "nobody": no account has this username\. Check/,
    ],
    [
      ['enable', 'nobody'],
      database,
      /^Cannot enable "nobody": no account has this username\. Check/,
    ],
    [['reset-password', 'nobody'], database, /of "nobody": no account has this username\. Check/],
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
