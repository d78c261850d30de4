/**
 * A commit, or the present work tree, as a folder that runs: its files, its packages, its bundle. The folder of a
 * commit stays in `dist/compare`, so that the next comparison with it starts at once; delete it whenever you like.
 *
 * The packages are those of this work tree if the lock file is the same, otherwise `npm ci` installs them.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../servers/harness/contenders.ts';

export interface Checkout {
  readonly title: string;
  readonly folder: string;
}

const STORAGE = join(ROOT, 'dist/compare');

/** Throws when Git does not know the commit. */
export function checkOutCommit(commit: string): Checkout {
  const title = git({}, 'rev-parse', '--short', '--verify', `${commit}^{commit}`);
  const folder = join(STORAGE, title);
  if (!existsSync(folder)) {
    // Moved into place when it is complete.
    const draft = `${folder}-${process.pid}`;
    prepare(draft, title);
    renameSync(draft, folder);
  }
  return { title, folder };
}

/** As it is at this moment, with files that are not committed. */
export function checkOutWorkTree(): Checkout {
  const folder = join(STORAGE, `work-tree-${process.pid}`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder, { recursive: true });
  const index = { GIT_INDEX_FILE: join(folder, 'index') };
  git(index, 'add', '--all');
  prepare(folder, git(index, 'write-tree'));
  return { title: 'work tree', folder };
}

function prepare(folder: string, tree: string): void {
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, 'archive.tar');
  git({}, 'archive', '--format=tar', `--output=${archive}`, tree);
  run(folder, 'tar', '-xf', archive);
  rmSync(archive);
  installPackages(folder);
  run(folder, 'npm', 'run', '--silent', 'bundle');
}

function installPackages(folder: string): void {
  const [ours, theirs] = [ROOT, folder].map((one) =>
    readFileSync(join(one, 'package-lock.json'), 'utf8'),
  );
  if (ours !== theirs) {
    const quietly = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    run(folder, 'npm', 'ci', ...quietly);
    return;
  }
  const [from, to] = [join(ROOT, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name === '.cache') continue;
    const file = join(from, name);
    // The links of the workspaces are relative: there they lead to the commit's own.
    const isLink = lstatSync(file).isSymbolicLink();
    symlinkSync(isLink ? readlinkSync(file) : file, join(to, name));
  }
}

function git(environment: NodeJS.ProcessEnv, ...words: readonly string[]): string {
  const env = { ...process.env, ...environment };
  return execFileSync('git', words, { cwd: ROOT, env, encoding: 'utf8' }).trim();
}

function run(cwd: string, program: string, ...words: readonly string[]): void {
  execFileSync(program, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
