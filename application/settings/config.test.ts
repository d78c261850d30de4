import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { createTestFolder } from '../testing/open-test-database.ts';
import { type Environment, inspectConfig, readConfig } from './config.ts';
import { StartError } from './start-error.ts';

/** The line with which the environment is refused. */
function refusalOf(environment: Environment): string {
  try {
    readConfig(environment);
  } catch (error) {
    assert.ok(error instanceof StartError, `not a StartError: ${error}`);
    assert.match(error.message, /^\P{Cc}+$/u, 'the refusal is not one line');
    return error.message;
  }
  return assert.fail(`${JSON.stringify(environment)} was taken`);
}

function assertRefused(name: string, values: readonly string[], why: RegExp): void {
  for (const value of values) {
    const refusal = refusalOf({ [name]: value });
    assert.ok(refusal.startsWith(`Cannot start with ${name}=`), refusal);
    assert.match(refusal, why, value);
  }
}

function refusesFile(environment: Environment, why: RegExp): void {
  assert.match(refusalOf(environment), why);
}

test('without any variable there is a default for everything', () => {
  const { trust, signIn: _ways, ...config } = readConfig({});
  assert.deepEqual(config, {
    host: '127.0.0.1',
    port: 8000,
    databaseUrl: 'sqlite:storage/application.db',
    databaseTimeout: 2_000,
    filesFolder: 'storage/files',
    filesBucket: null,
    keepOriginals: false,
    publicOrigin: null,
    mail: null,
    production: false,
    plainHttp: false,
    allowHttp: false,
    siteName: 'Seeother',
    timeZone: '',
    locale: 'en-GB',
    registration: 'first',
    readers: 'everybody',
    sampleItems: true,
    logUsers: false,
    logFormat: 'line',
    metrics: null,
    developmentPages: false,
    serverTiming: false,
    sessionIdle: 12 * 60 * 60 * 1000,
    sessionAbsolute: 14 * 24 * 60 * 60 * 1000,
    sessionCookie: 'sid',
    bodyLimit: 1_048_576,
    bodiesLimit: 67_108_864,
    workers: 1,
    drainNotice: 0,
    drainLimit: 25_000,
  });
  assert.equal(trust.scheme, null);
  assert.equal(trust.isProxy('127.0.0.1'), false);
});

test('by default the files stand beside the database, where the service may write', () => {
  const folderOf = (databaseUrl: string) => readConfig({ DATABASE_URL: databaseUrl }).filesFolder;
  assert.equal(folderOf('sqlite:/var/lib/seeother/application.db'), '/var/lib/seeother/files');
  assert.equal(folderOf('sqlite:things.db'), 'files');
  assert.equal(folderOf('postgres://db/things'), 'storage/files');
});

test('FILES_URL names a folder or a bucket, and shows no key', () => {
  assert.equal(
    readConfig({ FILES_URL: 'file:///srv/files', FILES_FOLDER: '/x' }).filesFolder,
    '/srv/files',
  );
  const address = 's3://files/things?region=eu-central-1';
  const keys = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret' };
  assert.deepEqual(readConfig({ FILES_URL: address, ...keys }).filesBucket, {
    address,
    keys: { accessKeyId: 'AKIA', secretAccessKey: 'secret' },
  });
  assertRefused(
    'FILES_URL',
    ['/srv/files', 'https://files'],
    /^.*FILES_URL=…: it must be file: and a path/,
  );
  assertRefused(
    'FILES_URL',
    ['file:files', 'file://host/files'],
    /it must be file:\/\/\/ and the path/,
  );
  assertRefused(
    'FILES_URL',
    [address],
    /FILES_URL=s3:\/\/…: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, too/,
  );
  const mistyped = refusalOf({ FILES_URL: 's3://key:word@files?region=x', ...keys });
  assert.match(mistyped, /pass the keys apart/);
  assert.doesNotMatch(mistyped, /word/);
  const { settings } = inspectConfig({ FILES_URL: address, ...keys });
  assert.doesNotMatch(JSON.stringify(settings), /AKIA|secret"/);
});

test('an empty variable counts as one that is not set', () => {
  const { trust: _one, ...empty } = readConfig({ PORT: '', HOST: '', REGISTRATION: '' });
  const { trust: _other, ...none } = readConfig({});
  assert.deepEqual(empty, none);
});

test('TIME_ZONE is the name of a time zone', () => {
  assert.equal(readConfig({ TIME_ZONE: 'europe/berlin' }).timeZone, 'Europe/Berlin');
  assert.equal(readConfig({ TIME_ZONE: 'UTC' }).timeZone, 'UTC');
  const bad = ['Berlin', '+01:00', 'UTC+1', 'Europe/Berlin ', ':Europe/Berlin', '../zone'];
  assertRefused('TIME_ZONE', bad, /use for example Europe\/Berlin, America\/New_York or UTC\.$/);
});

test('SITE_NAME is one line of text', () => {
  assert.equal(readConfig({ SITE_NAME: ' Werkstatt & Küche ' }).siteName, 'Werkstatt & Küche');
  const bad = ['Two\nlines', ' ', '\u200b', 'x'.repeat(61)];
  assertRefused('SITE_NAME', bad, /must be one line of at most 60 characters/);
});

test('LOCALE is English, with a region', () => {
  assert.equal(readConfig({ LOCALE: 'en-us' }).locale, 'en-US');
  assertRefused('LOCALE', ['de', 'de-DE', 'enm'], /the pages are in English; use en and the code/);
  assertRefused('LOCALE', ['en_US', 'C.UTF-8', 'english language'], /not the tag of a language/);
});

test('PORT is a whole number from 0 to 65535', () => {
  assert.equal(readConfig({ PORT: '0' }).port, 0);
  assert.equal(readConfig({ PORT: '65535' }).port, 65_535);
  const bad = ['65536', '-1', '+1', '80.5', '0x50', '1e3', ' 80', 'http', '８０', '9'.repeat(400)];
  assertRefused('PORT', bad, /must be a whole number from 0 to 65535\.$/);
});

test('HOST is a host name or an IP address', () => {
  for (const host of ['0.0.0.0', '::1', 'localhost', 'things.example']) {
    assert.equal(readConfig({ HOST: host }).host, host);
  }
  const bad = ['http://localhost', 'a b', '[::1]', 'localhost/'];
  assertRefused('HOST', bad, /use for example 127\.0\.0\.1 or 0\.0\.0\.0\.$/);
});

test('DATABASE_URL names a file for SQLite', () => {
  for (const url of ['sqlite:a.db', 'sqlite:/var/lib/things.db', 'sqlite:./with space/ä.db']) {
    assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url);
  }
  const bad = ['application.db', 'sqlite:', 'sqlite:folder/', 'sqlite:a.db?mode=ro', 'sqlite:a#b'];
  assertRefused('DATABASE_URL', bad, /sqlite:storage\/application\.db/);
});

test('a password in DATABASE_URL is never shown', () => {
  const urls = [
    'mysql://ada:hunter2@db.example/things',
    ' mysql://ada:hunter2@db.example/things',
    '"mysql://ada:hunter2@db.example/things"',
    '//ada:hunter2@db.example/things',
    'host=db.example user=ada password=hunter2',
    'sqlite:a.db?key=hunter2',
  ];
  for (const url of urls) {
    assert.doesNotMatch(refusalOf({ DATABASE_URL: url }), /hunter2/, url);
  }
});

test('MAIL_URL is the address of a mail server, and needs MAIL_FROM and PUBLIC_ORIGIN', () => {
  const others = { MAIL_FROM: 'things@example.org', PUBLIC_ORIGIN: 'https://things.example' };
  const url = 'smtps://ada:hunter2@mail.example.org';
  assert.deepEqual(readConfig({ ...others, MAIL_URL: url }).mail, {
    url,
    from: 'things@example.org',
    origin: 'https://things.example',
  });
  assert.equal(readConfig(others).mail, null);
  for (const bad of [
    'mail.example.org',
    'http://mail.example.org',
    'smtp:ada:hunter2@mail',
    'smtp:///x',
  ])
    assert.match(
      refusalOf({ ...others, MAIL_URL: bad }),
      /MAIL_URL=(smtp:)?…: .*smtp:\/\/127\.0\.0\.1:25\.$/,
    );
  assert.match(refusalOf({ ...others, MAIL_URL: url, MAIL_FROM: '' }), /smtps:…: set MAIL_FROM to/);
  assert.match(
    refusalOf({ ...others, MAIL_URL: url, PUBLIC_ORIGIN: '' }),
    /: set PUBLIC_ORIGIN, too/,
  );
  const bad = [
    'things',
    'Things <things@example.org>',
    'a@b.org, c@d.org',
    'a@b.org\r\nBcc: c@d.org',
  ];
  assertRefused('MAIL_FROM', bad, /for example things@example\.org\.$/);
  const { settings } = inspectConfig({ ...others, MAIL_URL: `${url}?pool=true` });
  const shown = settings.find(({ name }) => name === 'MAIL_URL')?.shown;
  assert.equal(shown, 'smtps://ada:…@mail.example.org?…');
});

test('PUBLIC_ORIGIN is a scheme and a host alone, and https makes every request secure', () => {
  const https = readConfig({ PUBLIC_ORIGIN: 'https://things.example' });
  assert.equal(https.publicOrigin, 'https://things.example');
  assert.equal(https.trust.scheme, 'https');
  const http = readConfig({ PUBLIC_ORIGIN: 'http://things.example:8080' });
  assert.equal(http.publicOrigin, 'http://things.example:8080');
  assert.equal(http.trust.scheme, null);
  for (const [written, sent] of [
    ['https://things.example/', 'https://things.example'],
    ['HTTPS://Things.example:443', 'https://things.example'],
    ['https://gerätehaus.example', 'https://xn--gertehaus-x2a.example'],
  ] as const)
    assert.equal(readConfig({ PUBLIC_ORIGIN: written }).publicOrigin, sent, written);
  const bad = [
    'things.example',
    'https://things.example/items',
    'https://things.example?',
    'https://ada@things.example',
    'ftp://things.example',
    'null',
  ];
  assertRefused('PUBLIC_ORIGIN', bad, /for example https:\/\/things\.example\.$/);
});

test('TRUST_PROXY lists the trusted addresses and networks', () => {
  const { isProxy } = readConfig({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,::1' }).trust;
  assert.equal(isProxy('127.0.0.1'), true);
  assert.equal(isProxy('10.255.0.1'), true);
  assert.equal(isProxy('::1'), true);
  assert.equal(isProxy('127.0.0.2'), false);
  assert.equal(isProxy('11.0.0.1'), false);
  const bad = ['1', 'true', 'localhost', '10.0.0.0/', '10.0.0.0/33', '10.0.0.0/8/8', '*', '::/129'];
  assertRefused('TRUST_PROXY', bad, /list the addresses of your proxies, separated by commas\.$/);
});

test('REGISTRATION is first, invite or open', () => {
  assert.equal(readConfig({ REGISTRATION: 'invite' }).registration, 'invite');
  assert.equal(readConfig({ REGISTRATION: 'open' }).registration, 'open');
  const bad = ['Open', 'closed', '1', 'toString'];
  assertRefused('REGISTRATION', bad, /must be first, invite or open\.$/);
});

test('READERS is everybody or members', () => {
  assert.equal(readConfig({ READERS: 'members' }).readers, 'members');
  assert.equal(readConfig({ READERS: '' }).readers, 'everybody');
  const bad = ['Members', 'all', '1', 'toString'];
  assertRefused('READERS', bad, /must be everybody or members\.$/);
});

test('SAMPLE_ITEMS is on by default, but not in production', () => {
  assert.equal(readConfig({ NODE_ENV: 'production' }).sampleItems, false);
  assert.equal(readConfig({ NODE_ENV: 'production', SAMPLE_ITEMS: '1' }).sampleItems, true);
  assert.equal(readConfig({ SAMPLE_ITEMS: '0' }).sampleItems, false);
});

test('SERVER_TIMING shows the times of the chain, but never in production', () => {
  assert.equal(readConfig({ SERVER_TIMING: '1' }).serverTiming, true);
  assert.equal(readConfig({ NODE_ENV: 'production', SERVER_TIMING: '1' }).serverTiming, false);
});

test('DEVELOPMENT_PAGES shows errors to the developer, but never in production', () => {
  const environment = { DEVELOPMENT_PAGES: '1' };
  assert.equal(readConfig(environment).developmentPages, true);
  assert.equal(readConfig({ ...environment, NODE_ENV: 'production' }).developmentPages, false);
});

test('a switch is 1 or 0 and nothing else', () => {
  assert.equal(readConfig({ LOG_USERS: '1' }).logUsers, true);
  for (const name of [
    'SAMPLE_ITEMS',
    'LOG_USERS',
    'DEVELOPMENT_PAGES',
    'SERVER_TIMING',
    'ALLOW_HTTP',
  ]) {
    assertRefused(name, ['true', 'yes', 'on', '2', '01', ' 1'], /must be 1 \(yes\) or 0 \(no\)\.$/);
  }
});

test('METRICS_PORT is a port, on a loopback address unless METRICS_HOST names another', () => {
  assert.deepEqual(readConfig({ METRICS_PORT: '9303' }).metrics, { host: '127.0.0.1', port: 9303 });
  const everywhere = { METRICS_PORT: '9303', METRICS_HOST: '0.0.0.0' };
  assert.deepEqual(readConfig(everywhere).metrics, { host: '0.0.0.0', port: 9303 });
  assertRefused('METRICS_PORT', ['0', '65536', 'on'], /from 1 to 65535\.$/);
});

test('LOG_FORMAT is line or json', () => {
  assertRefused('LOG_FORMAT', ['JSON', 'text'], /must be line or json\.$/);
});

test('the lifetimes of a session are positive numbers, in hours and in days', () => {
  assert.equal(readConfig({ SESSION_IDLE_HOURS: '0.5' }).sessionIdle, 1_800_000);
  assert.equal(readConfig({ SESSION_ABSOLUTE_DAYS: '30' }).sessionAbsolute, 2_592_000_000);
  const bad = ['0', '0.0', '-1', '1e3', 'Infinity', 'NaN', '.5', '12h'];
  assertRefused('SESSION_IDLE_HOURS', [...bad, '8761'], /above 0 and up to 8760\.$/);
  assertRefused('SESSION_ABSOLUTE_DAYS', [...bad, '366'], /above 0 and up to 365\.$/);
});

test('the name of the cookie is one that browsers accept', () => {
  assert.equal(readConfig({ SESSION_COOKIE: 'inventory' }).sessionCookie, 'inventory');
  for (const name of ['__Host-sid', 'a b', 'a;b', 'device', 'x'.repeat(65)])
    assert.throws(() => readConfig({ SESSION_COOKIE: name }), /SESSION_COOKIE/, name);
});

test('DATABASE_TIMEOUT is in seconds, up to a minute', () => {
  assert.equal(readConfig({}).databaseTimeout, 2_000);
  assert.equal(readConfig({ DATABASE_TIMEOUT: '0.5' }).databaseTimeout, 500);
  assertRefused('DATABASE_TIMEOUT', ['0', '-1', '61', '2s'], /above 0 and up to 60\.$/);
});

test('WORKERS counts from 1 to 64; the two times of the drain are seconds', () => {
  const config = readConfig({ WORKERS: '4', DRAIN_NOTICE: '5', DRAIN_LIMIT: '40' });
  assert.equal(config.workers, 4);
  assert.equal(config.drainNotice, 5_000);
  assert.equal(config.drainLimit, 40_000);
  assertRefused('WORKERS', ['0', '65', '-1', '2.5', 'auto'], /whole number from 1 to 64\.$/);
  assertRefused('DRAIN_NOTICE', ['-1', '301', '5s'], /whole number from 0 to 300\.$/);
  assertRefused('DRAIN_LIMIT', ['0', '601', '1e1'], /whole number from 1 to 600\.$/);
});

test('an invalid limit is refused instead of being switched off', () => {
  assert.equal(readConfig({ BODY_LIMIT: '2048' }).bodyLimit, 2_048);
  const bad = ['abc', '-1', '1e999', '0', '1023', '104857601', '1mb', 'Infinity'];
  assertRefused('BODY_LIMIT', bad, /must be a whole number from 1024 to 104857600\.$/);
});

test('BODIES_LIMIT has room for one form at least', () => {
  assert.equal(readConfig({ BODIES_LIMIT: '1048576' }).bodiesLimit, 1_048_576);
  assertRefused('BODIES_LIMIT', ['1048575', '-1', '1e9'], /from 1048576 to 1073741824\.$/);
  assert.equal(readConfig({ BODY_LIMIT: '100000000' }).bodiesLimit, 100_000_000);
});

test('a value with a line break is refused in one line', () => {
  const names = ['PORT', 'HOST', 'DATABASE_URL', 'PUBLIC_ORIGIN', 'TRUST_PROXY', 'REGISTRATION'];
  for (const name of names) {
    const value = name === 'DATABASE_URL' ? 'sqlite:a\nb.db' : '80\n\u001b[31m00';
    assert.match(refusalOf({ [name]: value }), new RegExp(`^Cannot start with ${name}=`));
  }
});

test('of several invalid values, one is named', () => {
  const refusal = refusalOf({ PORT: 'http', HOST: '127.0.0.1', BODY_LIMIT: '-1' });
  assert.match(refusal, /^Cannot start with PORT=http: /);
});

test('a secret may be in a file, which is not shown', (t) => {
  const file = join(createTestFolder(t), 'secret');
  const url = 'postgres://seeother:hunter2@db1.example/things?sslmode=verify-full';
  writeFileSync(file, `${url}\n`);
  assert.equal(readConfig({ DATABASE_URL_FILE: file }).databaseUrl, url);
  assert.equal(readConfig({ DATABASE_URL: '', DATABASE_URL_FILE: file }).databaseUrl, url);
  const { settings } = inspectConfig({ DATABASE_URL_FILE: file });
  const [setting] = settings.filter(({ name }) => name === 'DATABASE_URL');
  assert.equal(setting?.isDefault, false);
  assert.doesNotMatch(JSON.stringify(settings), /hunter2/);
  refusesFile(
    { DATABASE_URL: 'sqlite:a.db', DATABASE_URL_FILE: file },
    /DATABASE_URL_FILE.* is set too/,
  );
  refusesFile(
    { DATABASE_URL_FILE: `${file}s` },
    /DATABASE_URL_FILE=\S+secrets cannot be read \(ENOENT\)/,
  );
  writeFileSync(file, 'hunter2');
  refusesFile({ DATABASE_URL_FILE: file }, /^Cannot start with DATABASE_URL=…: (?!.*hunter2)/);
  // Without a fallback: an empty file is a mistake, and not the default.
  writeFileSync(file, '\n');
  refusesFile({ MAIL_URL_FILE: file }, /MAIL_URL_FILE=\S+secret is empty/);
  // Only secrets have a file.
  assert.equal(readConfig({ PORT_FILE: file }).port, 8_000);
});

test('every variable is listed with its value, origin and error, without passwords', () => {
  const { settings } = inspectConfig({ PORT: 'http', HOST: '::1' });
  const of = (name: string) => settings.find((setting) => setting.name === name);
  assert.deepEqual(of('HOST'), { name: 'HOST', shown: '::1', isDefault: false, refusal: null });
  assert.deepEqual(of('WORKERS'), { name: 'WORKERS', shown: '1', isDefault: true, refusal: null });
  assert.match(of('PORT')?.refusal ?? '', /must be a whole number/);
  assert.equal(settings.length, new Set(settings.map(({ name }) => name)).size);
});
