/**
 * `npm run pack`: the packages `seeother` and `create-seeother` as they are published, as folders and as
 * files in `dist/`, or in the folder that is named. Two runs on one commit give the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packFramework } from './pack-framework.ts';
import { ROOT } from './project-files.ts';
import { writePackageSbom } from './sbom.ts';

const [name = join(ROOT, 'dist')] = process.argv.slice(2);
const DIST = resolve(name);

mkdirSync(DIST, { recursive: true });
packFramework(join(DIST, 'seeother'));
toFile('seeother');
copyCreate(join(DIST, 'create-seeother'));
toFile('create-seeother');

/** It is published as it is: `files` of its package.json leaves out the tests. */
function copyCreate(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(ROOT, 'create'), folder, { recursive: true });
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  writePackageSbom(folder);
}

function toFile(name: string): void {
  const output = execFileSync(
    'npm',
    ['pack', join(DIST, name), '--json', '--pack-destination', DIST],
    { encoding: 'utf8', shell: process.platform === 'win32' },
  );
  const [{ filename, entryCount }] = JSON.parse(output);
  const kilobytes = Math.round(statSync(join(DIST, filename)).size / 1_000);
  process.stdout.write(`dist/${filename}: ${kilobytes} kB, ${entryCount} files.\n`);
}
