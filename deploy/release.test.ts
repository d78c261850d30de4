/**
 * The release: the same bytes each time, an archive that starts by itself, and a Debian package that is used from its
 * installation to its removal, in a copy of this machine's file system that nothing else sees.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import test, { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyText, createVisitor, hiddenFields, type Visitor } from 'seeother/testing';
import { createTestFolder } from '../application/testing/open-test-database.ts';
import { findFreePort } from '../application/testing/postgres/find-free-port.ts';
import { reachInstance } from '../application/testing/reach-instance.ts';
import { encodeForm, uploadFile } from '../application/testing/upload-file.ts';
import { readText } from '../scripts/project-files.ts';
import { archive, layOutRelease, packDebian, type ReleaseOptions } from '../scripts/release.ts';
import { findFlaws, readSbom } from '../scripts/sbom.ts';
import { skipWithout } from './find-program.ts';
import { importInPages } from './import-in-pages.ts';
import { startMachine } from './start-machine.ts';

const NOT_ROOT = process.getuid?.() !== 0 && 'Only root can install a package.';
const LINUX = process.platform === 'linux' ? false : 'Releases are made on Linux.';
const OPTIONS: ReleaseOptions = { version: '1.0.0', time: 1_700_000_000, compression: 0 };

/** With the folder `seeother-1.0.0`, and the archive of it. */
let parent = '';
let file = '';
before(async () => {
  if (LINUX !== false) return;
  parent = mkdtempSync(join(tmpdir(), 'seeother-'));
  await layOutRelease(join(parent, 'seeother-1.0.0'));
  file = archive(parent, OPTIONS);
});
after(() => rmSync(parent, { recursive: true, force: true }));

const hash = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

test('two builds in different folders and at different times give the same bytes', {
  skip: LINUX,
}, async (t) => {
  const other = createTestFolder(t);
  const folder = join(other, 'deeper', 'seeother-1.0.0');
  await layOutRelease(folder);
  for (const file of ['main.js', 'package.json', 'code/main.js'])
    utimesSync(join(folder, file), 1_000_000_000, 1_000_000_000);
  assert.equal(hash(archive(join(folder, '..'), OPTIONS)), hash(file));
  const packages = [
    packDebian(join(parent, 'seeother-1.0.0'), parent, OPTIONS),
    packDebian(folder, other, OPTIONS),
  ];
  assert.equal(hash(packages[0] ?? ''), hash(packages[1] ?? ''));
});

test('the unpacked archive starts without any other program, and its commands run', {
  skip: LINUX,
}, async (t) => {
  const folder = createTestFolder(t);
  execFileSync('tar', ['-C', folder, '-xf', file]);
  const program = join(folder, 'seeother-1.0.0', 'seeother');
  const env = { PATH: '', PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'application.db')}` };
  const service = spawn(program, ['start'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(() => service.kill('SIGKILL'));
  let errors = '';
  for await (const piece of service.stderr.setEncoding('utf8')) {
    errors += piece;
    if (errors.includes('\n')) break;
  }
  const url = /Listening on (\S+)\n/.exec(errors)?.[1] ?? assert.fail(errors);
  const visitor = createVisitor(reachInstance(() => url));
  const made = { username: 'ada', password: PASSWORD, passwordagain: PASSWORD };
  assert.equal((await visitor.submit('/register', made)).status, 303);
  await importInPages(visitor, 'name\nDrill\n');
  assert.match(bodyText(await visitor.get('/items')), />Drill</);
  service.kill('SIGTERM');
  assert.deepEqual(await once(service, 'exit'), [0, null]);
  const invitation = execFileSync(program, ['account', 'invite'], { env, encoding: 'utf8' });
  assert.match(invitation, /\/register/);
  for (const command of ['account', 'backup', 'database', 'items']) {
    const { stderr } = spawnSync(program, [command], { cwd: folder, env, encoding: 'utf8' });
    assert.ok(stderr.includes(`Use "${program} ${command} `), stderr);
  }
});

test('the SBOM is valid, and has the Node of the archive with its hash and its libraries', {
  skip: LINUX,
}, async () => {
  const folder = join(parent, 'seeother-1.0.0');
  assert.equal(await findFlaws(folder), null);
  const node = readSbom(folder).components.find(({ name }) => name === 'node');
  assert.equal(node?.version, process.versions.node);
  assert.deepEqual(node?.['hashes'], [{ alg: 'SHA-256', content: hash(join(folder, 'node')) }]);
  const openssl = node?.components?.find(({ name }) => name === 'openssl');
  assert.equal(openssl?.version, process.versions.openssl);
});

test('an archive has all files of deploy/ that the manual names', { skip: LINUX }, () => {
  for (const page of readdirSync(new URL('../docs/application/', import.meta.url))) {
    const text = readText(`docs/application/${page}`);
    for (const [, path = ''] of text.matchAll(/`(deploy\/[\w@./-]+)`/g))
      if (path !== 'deploy/Dockerfile')
        assert.ok(existsSync(join(parent, 'seeother-1.0.0', path)), `${page}: ${path}`);
  }
});

/** The commands of the manual for a first try: two with the archive, two with the package. */
function readTries(): readonly (readonly string[])[] {
  const [, section = ''] = readText('docs/application/deploying.md').split('To try it');
  const blocks = [...section.matchAll(/^```sh\n([\s\S]*?)```/gm)].slice(0, 2);
  const { version } = JSON.parse(readText('package.json')) as { version: string };
  return blocks.map(([, block = '']) =>
    block.trim().replaceAll(version, OPTIONS.version).replace('sudo ', '').split('\n'),
  );
}

test('on a machine without Node, two commands of the manual lead to a first page, with the archive and the package', {
  skip: LINUX || NOT_ROOT || skipWithout('adduser'),
}, async (t) => {
  const folder = createTestFolder(t);
  packDebian(join(parent, 'seeother-1.0.0'), folder, OPTIONS);
  copyFileSync(file, join(folder, basename(file)));
  const machine = await startMachine(folder);
  t.after(machine.stop);
  const run = (command: string) => machine.run(`PATH=/usr/sbin:/usr/bin:/sbin:/bin; ${command}`);
  await run('rm -f /usr/bin/node /usr/bin/npm; ! command -v node');
  for (const [index, commands] of readTries().entries()) {
    const [install = '', start = ''] = commands;
    assert.equal(commands.length, 2);
    const port = await findFreePort();
    const home = `/tmp/try-${index}`;
    await run(`install -d -o nobody ${home} && cp ${folder}/seeother[-_]* ${home}`);
    const began = performance.now();
    await run(`cd ${home} && ${install}`);
    const user = 'setpriv --reuid nobody --regid nogroup --clear-groups';
    await run(`cd ${home} && PORT=${port} ${user} ${start} >log 2>&1 & echo $! > /run/pid`);
    const visitor = createVisitor(reachInstance(() => `http://127.0.0.1:${port}`));
    let page = await visitor.get('/items').catch(() => null);
    for (; page === null; page = await visitor.get('/items').catch(() => null)) {
      await run(`kill -0 $(cat /run/pid) || { cat ${home}/log; false; }`);
      await sleep(50);
    }
    assert.match(bodyText(page), /<h1>/);
    t.diagnostic(`${install}: ${Math.round(performance.now() - began)} ms to the first page`);
    await run('kill $(cat /run/pid) && while kill -0 $(cat /run/pid) 2>&-; do sleep 0.05; done');
    await run(`ls ${home}/storage/application.db && ! ls /var/lib/seeother/application.db`);
  }
});

const ORIGIN = 'https://things.example';
const PASSWORD = 'correct horse battery';

/** What a browser behind the proxy sends. */
function createBrowser(port: number) {
  const instance = reachInstance(() => `http://127.0.0.1:${port}`);
  const headers = { host: 'things.example', 'x-forwarded-proto': 'https', origin: ORIGIN };
  return createVisitor(instance, { headers });
}

async function register(browser: Visitor, printed: string): Promise<void> {
  const link = printed.split(ORIGIN)[1]?.split('\n')[0] ?? assert.fail(printed);
  const made = { username: 'ada', password: PASSWORD, passwordagain: PASSWORD };
  assert.equal((await browser.submit(link, made)).status, 303);
}

test('the package is installed, used, backed up, upgraded, restored, removed and purged', {
  skip: LINUX || NOT_ROOT || skipWithout('adduser'),
}, async (t) => {
  const folder = createTestFolder(t);
  const pack = (version: string) =>
    packDebian(join(parent, 'seeother-1.0.0'), folder, { ...OPTIONS, version });
  const [first, second] = [pack('1.0.0'), pack('1.0.1')];
  const machine = await startMachine(folder);
  t.after(machine.stop);
  const { run } = machine;
  const port = await findFreePort();
  const browser = createBrowser(port);
  const start = async () => {
    await machine.start('seeother@.service', String(port));
    while ((await browser.get('/readyz').catch(() => null)) === null) {
      // A service that has ended says why, and this rejects with it.
      await run('kill -0 $(cat /run/pid) || { cat /run/*.log; false; }');
      await sleep(50);
    }
    assert.equal(bodyText(await browser.get('/readyz')), 'ready\n');
  };
  const names = async () => {
    const list = bodyText(await browser.get('/items?sort=name'));
    return [...list.matchAll(/<th scope="row"><a[^>]*>([^<]*)/g)].map(([, name]) => name);
  };

  assert.match(await run(`dpkg --install ${first}`), /Setting up seeother \(1\.0\.0\)/);
  assert.equal(
    await run(
      "stat --format='%n %U %G %a' /var/lib/seeother /usr/lib/seeother/node /etc/seeother.env",
    ),
    '/var/lib/seeother seeother seeother 700\n/usr/lib/seeother/node root root 755\n/etc/seeother.env root seeother 640\n',
  );
  await run('grep -q CycloneDX /usr/lib/seeother/sbom.cdx.json');
  const doctor = await run('seeother doctor');
  assert.match(doctor, /^good {2}files of forms go to \/var\/lib\/seeother\/files, /m);
  assert.match(doctor, /^good {2}database \/var\/lib\/seeother\/application\.db: /m);
  await start();
  await register(browser, await run('seeother account invite'));
  await importInPages(browser, 'name,quantity\nDrill,2\nSaw,1\n');
  const notText = new File(['a\0b'], 'drills.csv', { type: 'text/csv' });
  const refused = bodyText(await uploadFile(browser, '/items/import', notText));

  await run(await machine.commandOf('seeother-backup.service'));
  assert.match(
    await run('ls /var/lib/seeother-backups'),
    /^(\d{4}-\d\d-\d\d-\d{4}\.db)\n\1\.files\n$/,
  );

  await run(`echo LOCALE=en-US >> /etc/seeother.env`);
  const upgrade = `dpkg --install --force-confdef ${second}`;
  assert.match(await run(upgrade), /Setting up seeother \(1\.0\.1\)/);
  assert.match(await run('cat /etc/seeother.env'), /LOCALE=en-US/);
  // There is no systemd here, which would restart it.
  await machine.end();
  await start();
  await importInPages(browser, 'name\nHammer\n');
  assert.deepEqual(await names(), ['Drill', 'Hammer', 'Saw']);

  await machine.end();
  const own = 'setpriv --reuid seeother --regid seeother --clear-groups sh -ec';
  await run('rm -r /var/lib/seeother/*');
  await run(`cp -r /var/lib/seeother-backups /tmp/backups && chmod -R go=u /tmp/backups`);
  await run(
    `${own} 'cd /var/lib/seeother && cp /tmp/backups/*.db application.db && cp -r /tmp/backups/*.files files'`,
  );
  await start();
  assert.deepEqual(await names(), ['Drill', 'Saw']);
  const parked = hiddenFields(refused.slice(refused.indexOf('multipart')));
  const { body, type } = await encodeForm(parked);
  const again = await browser.post('/items/import', body, { headers: { 'content-type': type } });
  assert.match(bodyText(again), /This is not a table/, 'its bytes were restored');
  await machine.end();

  await run('dpkg --remove seeother');
  await run('! ls /usr/lib/seeother');
  assert.match(await run('dpkg --purge seeother'), /\/var\/lib\/seeother still has the data/);
  await run('ls /var/lib/seeother/application.db && ! ls /etc/seeother.env');
});
