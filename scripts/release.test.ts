/**
 * The release: the same bytes each time, an archive that starts by itself, and a Debian package that is installed,
 * upgraded and removed by dpkg. dpkg works in a copy of this machine's file system that nothing else sees.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { createTestFolder } from '../application/testing/open-test-database.ts';
import { skipWithout } from '../deploy/find-program.ts';
import { archive, layOutRelease, packDebian, type ReleaseOptions } from './release.ts';

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
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  service.kill('SIGTERM');
  assert.deepEqual(await once(service, 'exit'), [0, null]);
  const invitation = execFileSync(program, ['account', 'invite'], { env, encoding: 'utf8' });
  assert.match(invitation, /\/register/);
});

/** Each line of the script is a step; what it prints is checked. */
const STEPS = `
dpkg --install "$FIRST"
stat --format='%n %U %G %a' /var/lib/seeother /usr/lib/seeother/node /etc/seeother.env
sed --in-place 's|^PUBLIC_ORIGIN=.*|PUBLIC_ORIGIN=https://tools.example|' /etc/seeother.env
seeother account invite
dpkg --install --force-confdef "$SECOND"
grep PUBLIC_ORIGIN /etc/seeother.env
seeother account invite
dpkg --remove seeother
ls /usr/lib/seeother 2>&1 || true
dpkg --purge seeother
ls /var/lib/seeother /etc/seeother.env 2>&1 || true
`;

test('dpkg installs, upgrades, removes and purges the package, and the data stays', {
  skip:
    LINUX ||
    (process.getuid?.() !== 0 && 'Only root can install a package.') ||
    skipWithout('adduser'),
}, (t) => {
  const folder = createTestFolder(t);
  const pack = (version: string) =>
    packDebian(join(parent, 'seeother-1.0.0'), folder, { ...OPTIONS, version });
  const [first, second] = [pack('1.0.0'), pack('1.0.1')];
  for (const part of ['disk', 'root']) mkdirSync(join(folder, part));
  const inside = `cd ${folder}
mount -t tmpfs tmpfs disk && mkdir disk/upper disk/work
mount -t overlay overlay -o lowerdir=/,upperdir=disk/upper,workdir=disk/work root
mount --bind /proc root/proc && mount --bind /dev root/dev
FIRST=${first} SECOND=${second} chroot root sh -ec '${STEPS.replaceAll("'", `'\\''`)}'`;
  const output = execFileSync('unshare', ['--mount', 'sh', '-ec', inside], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const expected = [
    'Setting up seeother (1.0.0)',
    '/var/lib/seeother seeother seeother 700',
    '/usr/lib/seeother/node root root 755',
    '/etc/seeother.env root seeother 640',
    'https://tools.example/register?invitation=',
    'Setting up seeother (1.0.1)',
    'PUBLIC_ORIGIN=https://tools.example',
    'https://tools.example/register?invitation=',
    'Removing seeother (1.0.1)',
    "cannot access '/usr/lib/seeother'",
    'Purging configuration files for seeother',
    '/var/lib/seeother still has the data',
    "cannot access '/etc/seeother.env'",
    'application.db',
  ];
  let from = 0;
  for (const text of expected) {
    const at = output.indexOf(text, from);
    assert.notEqual(at, -1, `no “${text}” in its place in:\n${output}`);
    from = at;
  }
});
