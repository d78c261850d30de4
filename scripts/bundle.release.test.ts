/** Runs the bundle in a folder outside of the project, without its sources and packages. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { after, before, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { encodeFields, hiddenFields } from 'seeother/testing';
import { LIBRARY_FILES } from '../application/pictures/picture-libraries.ts';
import { BARE_ENVIRONMENT } from '../application/testing/bare-environment.ts';
import { ENGINES } from '../application/testing/open-test-database.ts';
import { startApplication } from '../application/testing/start-application.ts';
import { bundle } from './bundle.ts';
import { readText } from './project-files.ts';
import { findFlaws, nameOf, readSbom } from './sbom.ts';

const FOLDER = realpathSync(mkdtempSync(join(tmpdir(), 'seeother-bundle-')));
const MAIN = join(FOLDER, 'main.js');
const ADA = { username: 'ada', password: 'correct horse battery' };

before(() => bundle(FOLDER));
after(() => rmSync(FOLDER, { recursive: true }));

async function start(t: TestContext, environment = {}, engine: 'sqlite' | 'postgres' = 'sqlite') {
  const site = await startApplication(environment, engine, [MAIN]);
  t.after(() => site.stop());
  const send = (path: string, fields: Readonly<Record<string, string>>, cookie = '') =>
    fetch(site.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
      body: encodeFields(fields),
      redirect: 'manual',
    });
  const show = async (path: string, cookie = '') =>
    (await fetch(site.url + path, { headers: { cookie } })).text();
  return { ...site, send, show };
}

type Site = Awaited<ReturnType<typeof start>>;

/** Registers and creates an item; resolves to the cookie. */
async function walkForm({ send, show }: Site): Promise<string> {
  const registered = await send('/register', ADA);
  assert.equal(registered.status, 303);
  const cookies = registered.headers.getSetCookie().map((line) => line.split(';')[0]);
  const cookie = cookies.join('; ');
  const form = await show('/items/new', cookie);
  const created = await send('/items', { ...hiddenFields(form), name: 'Drill' }, cookie);
  assert.equal(created.status, 303);
  assert.match(await show(created.headers.get('location') ?? '', cookie), /<h1>Drill /);
  return cookie;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(20);
}

function run(...words: readonly string[]) {
  const options = { cwd: FOLDER, env: BARE_ENVIRONMENT, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, words, options);
}

for (const { engine, name, skip } of ENGINES) {
  test(`the bundle keeps what a person registers and creates (${name})`, { skip }, async (t) => {
    const site = await start(t, { SAMPLE_ITEMS: '0' }, engine);
    const cookie = await walkForm(site);
    // A thread reads what a search finds.
    assert.match(await site.show('/items?q=dri', cookie), />Drill</);
    assert.equal(await site.show('/styles.css'), readText('application/public/styles.css'));
    const body = new FormData();
    body.set('file', new File(['name\nRope\n'], 'things.csv'));
    const init = { method: 'POST', headers: { cookie }, body, redirect: 'manual' } as const;
    assert.equal((await fetch(`${site.url}/items/import`, init)).status, 303);
  });
}

test('workers of the bundle serve', async (t) => {
  await walkForm(await start(t, { WORKERS: '2' }));
});

test('the thread of the bundle checkpoints a large log', async (t) => {
  const site = await start(t);
  const cookie = await walkForm(site);
  const other = new DatabaseSync(site.databaseFile, { timeout: 10_000 });
  t.after(() => other.close());
  other.exec('pragma wal_autocheckpoint = 0; create table large (bytes blob)');
  other.exec('insert into large values (randomblob(17 * 1048576))');
  await site.send('/items', { name: 'Saw' }, cookie);
  await until(() => statSync(site.databaseFile).size > 17 * 1_048_576);
});

test('a change of the script of the pages alone changes the tags of pages, whose markup has its hash', async (t) => {
  const DATABASE_URL = `sqlite:${join(FOLDER, 'tags.db')}`;
  const readTag = async () => {
    const site = await start(t, { DATABASE_URL });
    const { headers } = await fetch(`${site.url}/items`);
    await site.stop();
    return headers.get('etag');
  };
  const tag = await readTag();
  assert.match(tag ?? '', /^W\//);
  assert.equal(await readTag(), tag);
  appendFileSync(join(FOLDER, 'public', 'seeother.js'), '\n');
  assert.notEqual(await readTag(), tag);
});

test('an error of the bundle names its place in the source', async (t) => {
  const site = await start(t);
  const database = new DatabaseSync(site.databaseFile, { timeout: 10_000 });
  database.exec("update items set created_at = 'not a time'");
  database.close();
  assert.match(await site.show('/items/1'), /couldn&#8217;t load this page/);
  await until(() => /application\/items\/[\w/-]+\.ts:\d+:\d+/.test(site.output().errors));
});

test('the commands and programs of the bundle run', async (t) => {
  const file = join(FOLDER, 'some.db');
  const site = await start(t, { DATABASE_URL: `sqlite:${file}`, SAMPLE_ITEMS: '0' });
  assert.equal(await site.stop(), 0);
  writeFileSync(join(FOLDER, 'start.cjs'), 'process.env.DATABASE_URL = `sqlite:some.db`');
  for (const [words, output] of [
    [['account.js', 'invite'], /\/register\?token=/],
    [['doctor.js'], /migrations: all \d+ have run/],
    [['backup.js', 'copy.db'], /Backed up 0 items/],
    [['database.js', 'copy', 'sqlite:some.db', 'sqlite:other.db'], /SHA-256/],
    [['items.js', 'export', 'items.csv'], /^0 items exported/],
    [['code/check-damage.js', file], /^$/],
  ] as const) {
    const { stdout, stderr } = run('--require', './start.cjs', ...words);
    assert.match(stdout, output, stderr);
  }
});

/** Of other people: their names, by the sources of the source maps. */
function listBundledPackages(): readonly string[] {
  const maps = readdirSync(join(FOLDER, 'code')).filter((file) => file.endsWith('.map'));
  const sources = maps.flatMap(
    (file) => JSON.parse(readFileSync(join(FOLDER, 'code', file), 'utf8')).sources as string[],
  );
  const names = sources.map((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]);
  const all = [...new Set([...names, ...Object.keys(LIBRARY_FILES)])];
  // The map of a package may name others that it was built of, which nothing installs.
  const { packages } = JSON.parse(readText('package-lock.json'));
  const installed = new Set(
    Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')),
  );
  return all.filter((name) => name !== undefined && installed.has(name)).sort() as string[];
}

/**
 * A new one is read first: what it asks of those who pass the code on. Libraries of LGPL-3.0 are files of their own,
 * unchanged, so that everybody can replace them; its text and that of the GPL come along.
 */
const LICENCES =
  /^(?:Apache-2\.0|BSD-3-Clause|ISC|LGPL-3\.0|MIT|MIT-0|0BSD|\(MIT OR Apache-2\.0\))$/;

test('the SBOM is valid, and has each package of the bundle in the version of the lock file', async () => {
  assert.equal(await findFlaws(FOLDER), null);
  const { components } = readSbom(FOLDER);
  const others = components.filter(({ name }) => !name.startsWith('seeother'));
  assert.deepEqual([...new Set(others.map(nameOf))].sort(), listBundledPackages());
  const { packages } = JSON.parse(readText('package-lock.json'));
  const locked = Object.entries<{ version?: string }>(packages).map(
    ([path, { version }]) => `${path.replace(/^.*node_modules\//, '')} ${version}`,
  );
  for (const one of others) assert.ok(locked.includes(`${nameOf(one)} ${one.version}`), one.name);
});

test('the bundle has the packages of all ways to sign in', () => {
  const packages = ['@simplewebauthn/server', 'jose', 'openid-client', 'otpauth', 'qr'];
  const bundled = listBundledPackages();
  assert.deepEqual(
    packages.filter((name) => !bundled.includes(name)),
    [],
  );
  const environment = {
    SECRETS: 'x'.repeat(32),
    OPENID_ISSUER: 'http://127.0.0.1:1',
    OPENID_CLIENT_ID: 'things',
  };
  writeFileSync(
    join(FOLDER, 'ways.cjs'),
    `Object.assign(process.env, ${JSON.stringify(environment)})`,
  );
  const { stdout } = run('--require', './ways.cjs', 'doctor.js');
  assert.match(stdout, /log in with a password, a passkey, or an account of 127\.0\.0\.1:1;/);
  assert.match(stdout, /note {2}nobody can log in with 127\.0\.0\.1:1 now/);
});

test('the licence of each package of the bundle is a known one, and its text is there, also that of the list of passwords', () => {
  for (const { name, licenses = [] } of readSbom(FOLDER).components) {
    const [first] = licenses;
    assert.match(first?.license?.id ?? first?.expression ?? 'none', LICENCES, name);
    assert.equal(licenses.length, 1, name);
  }
  const parts = readFileSync(join(FOLDER, 'LICENSES.txt'), 'utf8').split(`\n${'-'.repeat(80)}\n\n`);
  const texts = new Map(parts.map((text) => [text.split('\n')[0], text]));
  for (const name of [...listBundledPackages(), '@zxcvbn-ts/language-common'])
    assert.match(texts.get(name) ?? '', /copyright[\s\S]*\bas is\b/i, name);
});

test('an older Node is refused in one line', () => {
  const old = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });";
  writeFileSync(join(FOLDER, 'old.cjs'), old);
  const { status, stderr } = run('--require', './old.cjs', 'main.js');
  assert.equal(status, 1);
  assert.match(stderr, /^Cannot run on Node 20\.20\.2: [^\n]+\n$/);
});
