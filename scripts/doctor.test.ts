/** The doctor, run as the process that it is. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { createOutbox, createStores } from 'seeother/database';
import { every } from 'seeother/schedules';
import { createDamagedFile } from '../application/testing/create-damaged-file.ts';
import { openMailServer } from '../application/testing/open-mail-server.ts';
import {
  createTestFolder,
  ENGINES,
  openTestDatabase,
} from '../application/testing/open-test-database.ts';
import { startInProcess } from '../application/testing/start-in-process.ts';
import { runDoctor } from './run-doctor.ts';

test('a new machine is good: every variable has its line, and nothing is created', async (t) => {
  const folder = createTestFolder(t);
  const url = `sqlite:${join(folder, 'storage', 'application.db')}`;
  const { code, has, lines } = await runDoctor({ DATABASE_URL: url, PORT: '0' });
  assert.equal(code, 0);
  has(/^good {2}Node \d+\.\d+\.\d+: /);
  has(/^note {2}NODE_ENV=: this is not production/);
  has(/^good {2}PORT=0 \(environment\): /);
  has(/^good {2}SESSION_IDLE_HOURS=12 \(default\): hours without/);
  has(/^good {2}database .*application\.db: the first start creates it\.$/);
  has(/^good {2}free on its disk: [\d,]+ MB\.$/);
  has(
    /^good {2}files of forms go to .*storage.files, which the first one creates: writing to .* works\.$/,
  );
  has(/^good {2}READERS=everybody \(default\): who can read/);
  has(/^good {2}Everybody who can open this site can read the items, without an account\./);
  const names = lines.flatMap((line) => /^\w+ +([A-Z_]+)=/.exec(line)?.[1] ?? []);
  assert.equal(names.length, 48);
  assert.deepEqual(readdirSync(folder), []);
});

test('a database has lines for engine, journal, migrations and accounts', async (t) => {
  const database = await openTestDatabase(t);
  // As a service that was killed leaves it: a write to this file would first take in the log.
  const file = join(createTestFolder(t), 'application.db');
  for (const end of ['', '-wal']) copyFileSync(database.file + end, file + end);
  const bytes = readFileSync(file);
  const place = { DATABASE_URL: `sqlite:${file}`, PORT: '0' };
  const { code, has } = await runDoctor(place);
  assert.equal(code, 0);
  has(/^good {2}engine SQLite 3\.\d+\.\d+\.$/);
  has(/^good {2}journal mode wal/);
  has(/^good {2}synchronous full/);
  has(/^good {2}migrations: all \d+ have run\.$/);
  has(/^note {2}there is no account yet/);
  assert.ok(bytes.equals(readFileSync(file)), 'the database was written to');

  const writer = new DatabaseSync(file);
  writer.exec("insert into kysely_migration (name, timestamp) values ('9999-later', '')");
  writer.close();
  const later = await runDoctor(place);
  assert.equal(later.code, 1);
  later.has(/^bad {3}migrations: 9999-later is not known here.* Start that version\.$/);
});

test('a database from before the first release is bad', async (t) => {
  const { file } = await openTestDatabase(t);
  const writer = new DatabaseSync(file);
  writer.exec("update kysely_migration set name = '0001-first-tables' where name like '0001%'");
  writer.close();
  const { code, has } = await runDoctor({ DATABASE_URL: `sqlite:${file}`, PORT: '0' });
  assert.equal(code, 1);
  has(
    /^bad {3}migrations: .* from before 0\.2\.0, .* commit [0-9a-f]{10} is the last that opens it/,
  );
});

for (const { engine, name, skip } of ENGINES) {
  test(`a folder without the files that the database knows is bad (${name})`, {
    skip,
  }, async (t) => {
    const { url, door } = await openTestDatabase(t, engine);
    const folder = createTestFolder(t);
    const settings = { DATABASE_URL: url, FILES_FOLDER: folder, PORT: '0' };
    const { records } = createStores(door).files;
    assert.equal(await records.isNew(), true);
    assert.equal((await runDoctor(settings)).code, 0);
    await records.begin();
    const { code, has } = await runDoctor(settings);
    assert.equal(code, 1);
    has(/^bad {3}Cannot find the files of the site in .* Mount the volume or restore the folder\./);
    writeFileSync(join(folder, 'files-of-this-site.txt'), '');
    assert.equal((await runDoctor(settings)).code, 0);
  });
}

for (const { engine, name, skip } of ENGINES) {
  test(`each schedule has a line with its next time, a failure or a missed run (${name})`, {
    skip,
  }, async (t) => {
    const { url, door } = await openTestDatabase(t, engine);
    const settings = { DATABASE_URL: url, FILES_FOLDER: createTestFolder(t), PORT: '0' };
    let isBroken = false;
    const sweep = async () => {
      if (isBroken) throw new Error('The disk\nis away.');
    };
    const { run } = createOutbox(door, { removeExpired: every('hour', sweep) }, { report() {} });
    const now = Date.now();
    await run(new Date(now));
    (await runDoctor(settings)).has(
      /^good {2}schedule removeExpired: it has not run yet, and the next one is due at \d{4}-.* UTC\.$/,
    );
    await run(new Date(now + 3_600_000));
    (await runDoctor(settings)).has(/^good {2}schedule removeExpired: the last run succeeded, and/);
    const before = now - 2 * 86_400_000;
    await run(new Date(before));
    (await runDoctor(settings)).has(/^note {2}schedule removeExpired: it was due at .* Start the/);
    isBroken = true;
    await run(new Date(before + 3_600_000));
    const { has, code } = await runDoctor(settings);
    has(/^note {2}schedule removeExpired: .* last with: The disk is away\. It is tried/);
    assert.equal(code, 0);
  });
}

test('a bucket that cannot be written to is bad', async () => {
  const keys = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret' };
  const address = 's3://files/things?endpoint=http://127.0.0.1:9';
  const { has } = await runDoctor({ FILES_URL: address, ...keys, PORT: '0' });
  has(
    /^bad {3}Files cannot be stored in s3:\/\/files\/things, so .*: check FILES_URL and its keys/,
  );
  has(/^good {2}AWS_SECRET_ACCESS_KEY=… /);
});

test('a damaged index is bad, even if every page is intact and the service runs', async (t) => {
  const file = await createDamagedFile(t);
  const { code, has } = await runDoctor({ DATABASE_URL: `sqlite:${file}`, PORT: '0' });
  assert.equal(code, 1);
  has(/^bad {3}the file is damaged: .*items_by_name_key.* Restore the last good backup\.$/);
});

test('every invalid value has a line with the reason and no secret', async () => {
  const { code, output, has } = await runDoctor({
    PORT: 'http',
    WORKERS: '0',
    BODY_LIMIT: '1e999',
    HOST: 'a b\u001b[31m',
    DATABASE_URL: 'mysql://ada:hunter2@db.example/things',
  });
  assert.equal(code, 1);
  has(/^bad {3}PORT=http \(environment\): it must be a whole number from 0 to 65535\.$/);
  has(/^bad {3}WORKERS=0 \(environment\): it must be/);
  has(/^bad {3}BODY_LIMIT=1e999 /);
  has(/^bad {3}HOST=a b\?\[31m /);
  has(/^bad {3}DATABASE_URL=mysql:… /);
  assert.doesNotMatch(output, /hunter2/);
});

test('settings that production refuses are bad in production, and notes elsewhere', async (t) => {
  const settings = { DATABASE_URL: `sqlite:${join(createTestFolder(t), 'a.db')}`, PORT: '0' };
  const refused = await runDoctor({ ...settings, NODE_ENV: 'production' });
  assert.equal(refused.code, 1);
  refused.has(/^bad {3}production refuses to start: no setting says that users connect over https/);
  refused.has(/^note {2}PUBLIC_ORIGIN is not set: over http only IP addresses/);
  const elsewhere = await runDoctor(settings);
  elsewhere.has(/^note {2}in production the start would be refused: no setting says/);
  const safe = { ...settings, NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://things.example' };
  const alone = await runDoctor(safe);
  assert.equal(alone.code, 0);
  alone.has(/^note {2}PUBLIC_ORIGIN is set and TRUST_PROXY is not/);
  const { output } = await runDoctor({ ...safe, TRUST_PROXY: '10.0.0.1' });
  assert.doesNotMatch(output, /TRUST_PROXY is not|would be refused|refuses/);
});

test('the mail server is asked for a log-in, and a wrong password is bad and not shown', async (t) => {
  const { port, mails } = await openMailServer(t, {
    onAuth: ({ username, password }, _session, answer) =>
      password === 'right' ? answer(null, { user: username ?? '' }) : answer(new Error('No')),
  });
  const place = { DATABASE_URL: `sqlite:${join(createTestFolder(t), 'a.db')}`, PORT: '0' };
  const settings = {
    ...place,
    MAIL_FROM: 'things@example.org',
    PUBLIC_ORIGIN: 'https://a.example',
  };
  const urlOf = (password: string, query = '?tls.rejectUnauthorized=false') =>
    `smtp://ada:${password}@localhost:${port}${query}`;
  const right = await runDoctor({ ...settings, MAIL_URL: urlOf('right') });
  right.has(/^good {2}the mail server localhost:\d+ lets the service in; it sends as things@/);
  assert.equal(right.code, 0);
  for (const url of [urlOf('hunter2'), urlOf('hunter2', ''), 'smtp://ada:hunter2@localhost:1']) {
    const { code, has, output } = await runDoctor({ ...settings, MAIL_URL: url });
    assert.equal(code, 1);
    has(/^bad {3}mails wait, because the mail server localhost:\d+ cannot be used: ./);
    assert.doesNotMatch(output, /hunter2/);
  }
  const alone = await runDoctor({ ...place, MAIL_URL: urlOf('right') });
  alone.has(/^bad {3}MAIL_URL=smtp:… \(environment\): set MAIL_FROM/);
  assert.equal(mails.length, 0);
});

test('the ways to sign in have a line, and what they lack has a note', async (t) => {
  const place = { DATABASE_URL: `sqlite:${join(createTestFolder(t), 'a.db')}`, PORT: '0' };
  const few = await runDoctor(place);
  few.has(
    /people log in with a password or a passkey; the second factor is a passkey, and no role needs/,
  );
  few.has(/^note {2}PUBLIC_ORIGIN is not set: browsers have passkeys over https and on localhost/);
  const http = { PUBLIC_ORIGIN: 'http://things.example', OPENID_NAME: 'East' };
  const none = await runDoctor({ ...place, ...http });
  none.has(/^good {2}people log in with a password; there is no second factor\.$/);
  none.has(/^note {2}there are no passkeys at http:\/\/things\.example: browsers have them over/);
  none.has(
    /^note {2}OPENID_NAME is set and OPENID_ISSUER is not, so nobody logs in with a company/,
  );
  const production = { NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://things.example' };
  const lax = await runDoctor({ ...place, ...production });
  lax.has(/^note {2}SECOND_FACTOR_FOR is not set: whoever knows the password of an administrator/);
  const strict = {
    ...production,
    SECRETS: 'hunter2-'.repeat(4),
    SECOND_FACTOR_FOR: 'administrator',
  };
  const { has, output } = await runDoctor({ ...place, ...strict });
  has(/is a one-time code or a passkey, and these roles need it: administrator\.$/);
  assert.doesNotMatch(output, /SECOND_FACTOR_FOR is not set|hunter2/);
  const missing = await runDoctor({ ...place, BREACHED_PASSWORDS: join(place.PORT, 'none') });
  assert.equal(missing.code, 1);
  missing.has(/^bad {3}Cannot start with BREACHED_PASSWORDS=\S+: Cannot read the list of breached/);
});

test('a company is asked what it says of itself, and one that does not answer is a note', async (t) => {
  const answers = createHttpServer((_, response) => {
    const names = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'];
    const addresses = names.map((name) => [name, `${issuer}/${name}`]);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ issuer, ...Object.fromEntries(addresses) }));
  }).listen(0, '127.0.0.1');
  t.after(() => answers.close());
  await once(answers, 'listening');
  const issuer = `http://127.0.0.1:${(answers.address() as AddressInfo).port}`;
  const settings = {
    ...{ DATABASE_URL: `sqlite:${join(createTestFolder(t), 'a.db')}`, PORT: '0' },
    PUBLIC_ORIGIN: 'https://things.example',
    ...{ OPENID_CLIENT_ID: 'things', OPENID_CLIENT_SECRET: 'hunter2', OPENID_NAME: 'East' },
  };
  const well = await runDoctor({ ...settings, OPENID_ISSUER: issuer });
  well.has(/answers; it must know https:\/\/things\.example\/login\/with\/company\/return as/);
  well.has(/people log in with a password, a passkey, or an account of East;/);
  const away = await runDoctor({ ...settings, OPENID_ISSUER: `${issuer}/realm` });
  assert.equal(away.code, 0);
  away.has(/^note {2}nobody can log in with East now, because http:\S+\/realm cannot be used: ./);
  assert.doesNotMatch(well.output + away.output, /hunter2/);
});

test('a port is free, used by this service, or used by another program', async (t) => {
  const folder = createTestFolder(t);
  const place = { DATABASE_URL: `sqlite:${join(folder, 'a.db')}` };
  const other = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const PORT = String((other.address() as AddressInfo).port);
  const taken = await runDoctor({ ...place, PORT });
  assert.equal(taken.code, 1);
  taken.has(/^bad {3}port \d+ of 127\.0\.0\.1 is used by another program\. Stop it/);
  other.close();
  await once(other, 'close');
  (await runDoctor({ ...place, PORT })).has(/^good {2}port \d+ of 127\.0\.0\.1 is free\.$/);
  const site = await startInProcess(place);
  t.after(() => site.stop());
  const running = await runDoctor({ ...place, PORT: new URL(site.url).port });
  assert.equal(running.code, 0);
  running.has(/^note {2}port \d+ .* it is already running\.$/);
});

test('a file that is not a database, or in the place of a folder, is bad', async (t) => {
  const folder = createTestFolder(t);
  const file = join(folder, 'letter.txt');
  writeFileSync(file, 'Dear Ada, '.repeat(500));
  chmodSync(file, 0o644);
  const inPlace = await runDoctor({ DATABASE_URL: `sqlite:${file}`, PORT: '0' });
  inPlace.has(/^bad {3}database .*letter\.txt: .*file is not a database/);
  inPlace.has(
    /^note {2}other users of this machine have rights on .*letter\.txt: the next start removes them/,
  );
  const noFiles = await runDoctor({
    FILES_FOLDER: `${file}/files`,
    DATABASE_URL: `sqlite:${folder}/a.db`,
    PORT: '0',
  });
  noFiles.has(
    /^bad {3}Files cannot be stored in .*letter\.txt\/files, so every form with a file is refused \(ENOTDIR/,
  );
  const inTheWay = await runDoctor({ DATABASE_URL: `sqlite:${file}/a.db`, PORT: '0' });
  inTheWay.has(/^bad {3}.*letter\.txt is a file where a folder is needed/);
  assert.equal(existsSync(`${file}-wal`), false);
});
