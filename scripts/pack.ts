/** `npm run pack`: the package `seeother` as it is published, as a folder and as a file in `dist/`. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { packFramework } from './pack-framework.ts';
import { ROOT } from './project-files.ts';

const DIST = join(ROOT, 'dist');
const folder = join(DIST, 'seeother');

packFramework(folder);
const output = execFileSync('npm', ['pack', folder, '--json', '--pack-destination', DIST], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
const [{ filename, entryCount }] = JSON.parse(output);
const kilobytes = Math.round(statSync(join(DIST, filename)).size / 1_000);
process.stdout.write(`dist/${filename}: ${kilobytes} kB, ${entryCount} files.\n`);
