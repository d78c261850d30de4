/** Checks the systemd units with systemd's own tools, and runs the commands of the backup. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { openDatabase } from '../application/database/open-database.ts';
import { createTestFolder } from '../application/testing/open-test-database.ts';
import { bundle } from '../scripts/bundle.ts';
import { ROOT, readText } from '../scripts/project-files.ts';
import { requireProgram, skipWithout } from './find-program.ts';

/** Files, and the names under which systemd loads them. */
const UNITS = {
  'seeother@.service': 'seeother@8001.service',
  'seeother-backup.service': 'seeother-backup.service',
  'seeother-backup.timer': 'seeother-backup.timer',
};

/** The units in a folder, changed for the location of Node and of this project. */
function placeUnits(t: TestContext): string {
  const folder = createTestFolder(t);
  for (const [file, name] of Object.entries(UNITS)) {
    const unit = readText(`deploy/${file}`)
      .replaceAll('/srv/seeother/node ', `${process.execPath} `)
      .replaceAll('/srv/seeother', ROOT);
    writeFileSync(join(folder, name), unit);
  }
  return folder;
}

function analyze(folder: string, ...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(requireProgram('systemd-analyze'), args, {
    cwd: folder,
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`.trim();
}

const skip = skipWithout('systemd-analyze');

test('systemd understands every line of the units', { skip }, (t) => {
  const folder = placeUnits(t);
  const files = Object.values(UNITS).map((name) => `./${name}`);
  assert.equal(analyze(folder, 'verify', '--man=no', ...files), '');
});

test('systemd understands the lines for nginx', { skip }, (t) => {
  const folder = createTestFolder(t);
  const added = readText('deploy/nginx.service.conf');
  writeFileSync(join(folder, 'nginx.service'), `[Service]\nExecStart=/bin/true\n${added}`);
  assert.equal(analyze(folder, 'verify', '--man=no', './nginx.service'), '');
});

test('systemd restarts the service without limit, because the service waits for its database itself', () => {
  const unit = readText('deploy/seeother@.service');
  assert.match(unit, /^Restart=always$/m);
  assert.match(unit, /^StartLimitIntervalSec=0$/m);
  assert.doesNotMatch(unit, /StartLimitBurst/);
});

test('the service starts after the clock of the machine is set', () => {
  const unit = readText('deploy/seeother@.service');
  assert.match(unit, /^Wants=.*\btime-sync\.target\b/m);
  assert.match(unit, /^After=.*\btime-sync\.target\b/m);
});

test('the service may write the code that Node compiles', () => {
  const unit = readText('deploy/seeother@.service');
  assert.match(unit, /^CacheDirectory=seeother$/m);
  assert.match(unit, /^Environment=NODE_COMPILE_CACHE=\/var\/cache\/seeother$/m);
});

test('the service and the image bound the heaps of the C library', () => {
  assert.match(readText('deploy/seeother@.service'), /^Environment=MALLOC_ARENA_MAX=2$/m);
  assert.match(readText('deploy/Dockerfile'), /^ENV MALLOC_ARENA_MAX=2$/m);
});

test('systemd rates the exposure of the services as low', { skip }, (t) => {
  const folder = placeUnits(t);
  for (const [unit, limit] of [
    ['seeother@8001.service', 1.5],
    // It needs no network.
    ['seeother-backup.service', 0.5],
  ] as const) {
    const report = analyze(folder, 'security', '--offline=true', `./${unit}`);
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(report) ?? [];
    assert.ok(Number(exposure) <= limit, report);
  }
});

test('the commands of the nightly backup make one and delete those older than 30 days', {
  skip: skipWithout('find'),
}, async (t) => {
  const [folder, backups, installed] = [1, 2, 3].map(() => createTestFolder(t)) as [
    string,
    string,
    string,
  ];
  const url = `sqlite:${join(folder, 'application.db')}`;
  await (await openDatabase(url)).close();
  for (const days of [29, 32]) {
    const [file, files] = ['db', 'db.files'].map((end) => join(backups, `${days} days.${end}`));
    writeFileSync(file ?? '', '');
    mkdirSync(files ?? '');
    writeFileSync(join(files ?? '', 'file'), '');
    const time = Date.now() / 1_000 - days * 86_400;
    for (const path of [file, files]) utimesSync(path ?? '', time, time);
  }
  const unit = readText('deploy/seeother-backup.service');
  const commandOf = (setting: string) =>
    (new RegExp(`^${setting}=(.+)$`, 'm').exec(unit)?.[1] ?? assert.fail(setting))
      .replaceAll('/var/lib/seeother-backups', backups)
      .replaceAll('/srv/seeother', installed)
      .replaceAll('%%', '%');
  await bundle(installed);
  symlinkSync(process.execPath, join(installed, 'node'));
  const options = {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: url },
    stdio: 'pipe',
  } as const;
  execFileSync('/bin/sh', ['-c', commandOf('ExecStart')], options);
  // No shell reads this one.
  const [find = '', ...args] = commandOf('ExecStartPost').split(' ');
  execFileSync(find, args, options);
  const [made, ...kept] = readdirSync(backups).toSorted();
  assert.match(made ?? '', /^\d{4}-\d\d-\d\d-\d{4}\.db$/);
  assert.deepEqual(kept, ['29 days.db', '29 days.db.files']);
});
