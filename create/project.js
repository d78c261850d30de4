// @ts-check
/**
 * Writes a project into an empty directory. Its files are those of the template, of its database, of its ways to sign in
 * and of every project. Only `package.json` and the settings of the ways to sign in are made here.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { chooseLines } from './choose-lines.js';
import { addCrud, rename, writeCrud } from './crud.js';
import { addFileStore, hasFiles } from './crud-files.js';
import { RANGE } from './node-version.js';
import { toPackageName } from './package-name.js';
import { Refusal } from './refusal.js';
import { toEnvironment, toMarks, toPackages } from './sign-in.js';

const TEMPLATES = join(import.meta.dirname, 'templates');

/** npm leaves a `.gitignore` out of a package. */
const RENAMED = new Map([['gitignore', '.gitignore']]);

/** Those with which the templates are tested. */
export const VERSIONS = { typescript: '^7.0.2', '@types/node': '^26.6.6', pg: '^8.16.0' };

/** @param {Omit<import('./options.js').Options, 'crud' | 'signIn'> & Partial<Pick<import('./options.js').Options, 'crud' | 'signIn'>>} options */
export function writeProject(options) {
  const { directory, template, database, signIn = [], crud = null } = options;
  const folder = resolve(directory);
  requireEmpty(folder, directory);
  const name = toPackageName(basename(folder));
  const marks = toMarks(signIn);
  const chosen = Object.keys(marks).filter((mark) => marks[mark]);
  const files = listTemplate([template, database, ...chosen]);
  for (const [file, source] of files) {
    const target = join(folder, file);
    mkdirSync(dirname(target), { recursive: true });
    const text = chooseLines(readFileSync(source, 'utf8'), marks);
    writeFileSync(target, template === 'crud' && crud !== null ? rename(text, crud) : text);
  }
  const environment = toEnvironment(signIn);
  if (environment !== '') appendFileSync(join(folder, '.env'), environment);
  const packageJson = `${JSON.stringify(toPackage(options, name), null, 2)}\n`;
  writeFileSync(join(folder, 'package.json'), packageJson, { flag: 'wx' });
  const added =
    crud === null ? 0 : template === 'crud' ? writeCrud(folder, crud) : addCrud(folder, crud).files;
  if (template === 'crud' && crud !== null && hasFiles(crud)) addFileStore(folder);
  return { folder, name, files: files.size + added + 1, isRenamed: name !== basename(folder) };
}

/**
 * A repository of Git may be there already.
 * @param {string} folder
 * @param {string} directory as it was given
 */
function requireEmpty(folder, directory) {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const place = `Cannot create a project in ${JSON.stringify(directory)}`;
  if (!stats.isDirectory()) throw new Refusal(`${place}: it is a file. Choose another name.`);
  const [first] = readdirSync(folder).filter((name) => name !== '.git');
  if (first !== undefined) {
    throw new Refusal(
      `${place}: the directory is not empty (it has ${JSON.stringify(first)}). Choose another name, or empty it first.`,
    );
  }
}

/**
 * The files to be copied, by their path in the project. Not each way to sign in has some.
 * @param {readonly string[]} names
 * @returns {ReadonlyMap<string, string>}
 */
function listTemplate(names) {
  const folders = ['shared', ...names].map((name) => join(TEMPLATES, name)).filter(existsSync);
  return new Map(
    folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((file) => /** @type {const} */ ([RENAMED.get(file) ?? file, join(folder, file)]))
        .filter(([, source]) => statSync(source).isFile()),
    ),
  );
}

/**
 * @param {Pick<import('./options.js').Options, 'database' | 'seeother' | 'template'> & Partial<Pick<import('./options.js').Options, 'signIn'>>} options
 * @param {string} name
 */
function toPackage({ database, seeother, signIn = [], template }, name) {
  const { typescript, pg, '@types/node': types } = VERSIONS;
  const node = 'node --require ./prepare.cjs';
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: RANGE },
    scripts: {
      start: `${node} main.ts`,
      dev: `${node} --import seeother/develop main.ts --development`,
      ...(template === 'app' ? { account: `${node} account.ts` } : {}),
      pretest: 'tsc',
      // The tests of PostgreSQL share a database, which each file empties.
      test: `${node} --test${database === 'postgres' ? ' --test-concurrency=1' : ''}`,
    },
    dependencies: sorted({
      ...(database === 'postgres' ? { pg } : {}),
      ...toPackages(signIn),
      seeother: seeother === undefined ? `^${ownVersion()}` : toDependency(seeother),
    }),
    devDependencies: { '@types/node': types, typescript },
  };
}

/**
 * As npm writes them.
 * @param {Readonly<Record<string, string>>} packages
 */
function sorted(packages) {
  return Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The versions of `create-seeother` and `seeother` are the same. */
function ownVersion() {
  const text = readFileSync(join(import.meta.dirname, 'package.json'), 'utf8');
  return String(JSON.parse(text).version);
}

/**
 * npm reads the path of a file from the directory of the project.
 * @param {string} seeother
 */
function toDependency(seeother) {
  return isFile(seeother) ? `file:${resolve(seeother)}` : seeother;
}

/** @param {string} path */
function isFile(path) {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Refuses the path of a file that does not exist: npm would ask the registry for a version of that name.
 * @param {string | undefined} seeother
 */
export function requirePackedFile(seeother = '') {
  const isPath = !seeother.includes(':') && /\.t(?:ar\.)?gz$|^\.{0,2}[/\\]/.test(seeother);
  if (!isPath || isFile(seeother)) return;
  throw new Refusal(
    `Cannot use ${JSON.stringify(seeother)} as seeother: there is no such file in ${resolve()}. Name a packed file or a version.`,
  );
}
