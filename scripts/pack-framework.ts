/**
 * Builds the package `seeother` into a folder, as it is published. Node runs the repository's
 * TypeScript directly, but refuses TypeScript in `node_modules`. So the package contains JavaScript and
 * declarations, compiled by `tsc` without a bundler, the sources for their source maps, the guides, the API
 * report and `llms.txt`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { writeLlms } from '../docs/site/llms.ts';
import { listFiles, listGuides, ROOT, readText } from './project-files.ts';
import { writePackageSbom } from './sbom.ts';

interface PackageJson {
  readonly exports: Readonly<Record<string, string>>;
  readonly [name: string]: unknown;
}

const COMPILER_OPTIONS = {
  noEmit: false,
  rootDir: '.',
  outDir: 'dist',
  target: 'es2024',
  lib: ['es2024', 'esnext.collection', 'esnext.disposable', 'esnext.iterator'],
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
  // The folder need not be below the packages of this repository.
  paths: {
    pg: [join(ROOT, 'node_modules/@types/pg')],
    '@fastify/busboy': [join(ROOT, 'node_modules/@fastify/busboy/types/index.d.ts')],
    '@simplewebauthn/server': [join(ROOT, 'node_modules/@simplewebauthn/server/esm/index.d.ts')],
    '@simplewebauthn/server/helpers': [
      join(ROOT, 'node_modules/@simplewebauthn/server/esm/helpers/index.d.ts'),
    ],
    'openid-client': [join(ROOT, 'node_modules/openid-client/build/index.d.ts')],
    jose: [join(ROOT, 'node_modules/jose/dist/types/index.d.ts')],
    croner: [join(ROOT, 'node_modules/croner/dist/croner.d.ts')],
    otpauth: [join(ROOT, 'node_modules/otpauth/dist/otpauth.d.ts')],
    qr: [join(ROOT, 'node_modules/qr/index.d.ts')],
    'file-type': [join(ROOT, 'node_modules/file-type/source/index.d.ts')],
  },
  declaration: true,
  declarationMap: true,
  sourceMap: true,
  allowJs: false,
  isolatedDeclarations: true,
  rewriteRelativeImportExtensions: true,
};

const { devDependencies } = JSON.parse(readText('package.json'));

/**
 * The compilers of users, for tests: the current one, and TypeScript 5.9 without its `tsc`, which `typescript`
 * has.
 */
export const COMPILERS: readonly { readonly version: string; readonly file: string }[] = [
  ['typescript', 'bin/tsc'] as const,
  ['@tsd/typescript', 'typescript/lib/tsc.js'] as const,
].map(([name, file]) => ({
  version: devDependencies[name],
  file: join(ROOT, 'node_modules', name, file),
}));

/** The entries and their files in `framework/`: `['seeother/node', 'node.ts']`. */
export function readEntries(): readonly (readonly [name: string, file: string])[] {
  const { exports }: PackageJson = JSON.parse(readText('framework/package.json'));
  return Object.entries(exports).map(([name, file]) => [
    name.replace('.', 'seeother'),
    file.slice(2),
  ]);
}

/** The package as this process has built it, to be copied: to compile it takes seconds. */
let built: string | undefined;

/** Replaces the folder. Throws if the sources do not compile for the package's target. */
export function packFramework(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  if (built === undefined) {
    const first = mkdtempSync(join(tmpdir(), 'seeother-package-'));
    process.on('exit', () => rmSync(first, { recursive: true }));
    build(first);
    built = first;
  }
  cpSync(built, folder, { recursive: true });
}

function build(folder: string): void {
  copySources(folder);
  const source = JSON.parse(readText('framework/package.json'));
  const text = JSON.stringify(toPublished(source), null, 2);
  writeFileSync(join(folder, 'package.json'), `${text}\n`);
  compile(folder);
  copyGuides(folder);
  copyFileSync(join(ROOT, 'framework/README.md'), join(folder, 'README.md'));
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  writePackageSbom(folder);
}

function copySources(folder: string): void {
  const sources = listFiles('framework').filter((file) => /\.ts$/.test(file) && !isTest(file));
  for (const file of sources) {
    const target = join(folder, file.slice('framework/'.length));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(ROOT, file), target);
  }
}

/** Tests, their fixtures and the file that runs them; the contract suites of stores are part of `seeother/testing`. */
function isTest(file: string): boolean {
  return (
    /\.(test|fixture)\.ts$|\/accounts\/.*\.contract\.ts$/.test(file) ||
    file === 'framework/tests.ts'
  );
}

function compile(folder: string): void {
  const config = join(folder, 'tsconfig.json');
  const settings = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: COMPILER_OPTIONS,
    include: ['*.ts', 'src'],
  };
  writeFileSync(config, JSON.stringify(settings));
  try {
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'pipe' });
  } catch (error) {
    const { stdout } = error as { readonly stdout?: Buffer };
    throw new Error(`Cannot compile the package:\n${stdout ?? ''}`, { cause: error });
  }
  rmSync(config);
}

/** At the same paths as here, so that links from one guide to another hold. */
function copyGuides(folder: string): void {
  const guides = new Set(listGuides());
  for (const file of guides) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), withoutLinksOut(readText(file), file, guides));
  }
  const documents = [...guides].map((file) => ({
    path: file.slice('docs'.length),
    markdown: readText(file),
  }));
  writeFileSync(
    join(folder, 'llms.txt'),
    writeLlms(documents, (path) => `docs${path}`),
  );
  copyFileSync(join(ROOT, 'docs/api-report.txt'), join(folder, 'docs/api-report.txt'));
}

/**
 * A link to a file, or a picture, that the package does not contain becomes its text and the path in the repository.
 */
function withoutLinksOut(markdown: string, file: string, guides: ReadonlySet<string>): string {
  const link = /!?\[([^\]]+)\]\(((?:\.\.\/[^)\s#]*|[\w./-]+\.md))(?:#[^)\s]*)?\)/g;
  return markdown.replaceAll(link, (whole, text: string, target: string) => {
    const path = posix.join(posix.dirname(file), target);
    return guides.has(path) ? whole : `${text} (\`${path}\` in the repository)`;
  });
}

/** Each entry refers to its declarations and its JavaScript. */
function toPublished({ exports, ...rest }: PackageJson): object {
  const entries = Object.entries(exports).map(([name, file]) => {
    const compiled = file.replace(/^\.\//, './dist/').replace(/\.ts$/, '');
    return [name, { types: `${compiled}.d.ts`, default: `${compiled}.js` }];
  });
  return {
    ...rest,
    exports: { ...Object.fromEntries(entries), './package.json': './package.json' },
  };
}
