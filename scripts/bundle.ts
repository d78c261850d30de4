/**
 * `npm run bundle`: the application as it is deployed, in `dist/application`. It needs Node and nothing else, and
 * starts in a third of the time, because Node loads a few files instead of 600. The commands of administrators are
 * in it too.
 *
 * All code is in its folder `code`, beside `public`. A module that opens a file by its path finds it from there as
 * from its source, which is one folder below `application` too.
 */
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { FONTS } from '../application/items/labels/label-font.ts';
import { LIBRARY_FILES, LIBRARY_FOLDER } from '../application/pictures/picture-libraries.ts';
import { ROOT, readText } from './project-files.ts';
import { addPackage, nameLicences, writeBundleSbom } from './sbom.ts';

/** Run as `npm run <name>`, from the source and from the bundle. */
const COMMANDS = ['account', 'backup', 'database', 'doctor', 'items'] as const;

/** Programs of processes and threads of their own, started by the path of their file. */
const PROGRAMS = [
  'application/maintenance/check-damage.ts',
  'application/pictures/picture-process.ts',
  'framework/src/sqlite/checkpoint-thread.ts',
  'framework/src/sqlite/read-thread.ts',
];

/** They run before the code: an older Node could not load it. */
const CHECKS = ['require-node.cjs', 'keep-compiled.cjs', 'resolve-imports.cjs'];

/** Replaces what is in the folder. */
export async function bundle(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const code = join(folder, 'code');
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [
      'application/main.ts',
      ...COMMANDS.map((name) => `scripts/${name}.ts`),
      ...PROGRAMS,
    ],
    entryNames: '[name]',
    // Source maps name the sources from here: the same bytes in any folder.
    outdir: join(ROOT, 'dist/application/code'),
    write: false,
    bundle: true,
    // What PostgreSQL, forms with files or a command needs is loaded only for them.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24.12',
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: 'linked',
    // Packages of CommonJS load modules of Node by `require`.
    banner: { js: 'const require=process.getBuiltinModule;' },
    // A native driver that pg uses if it is installed.
    external: ['pg-native'],
    metafile: true,
    plugins: [writeBundleSbom(folder)],
    logLevel: 'warning',
  });
  mkdirSync(code, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(join(code, basename(path)), contents);
  for (const file of CHECKS) copyFileSync(join(ROOT, 'scripts', file), join(code, file));
  for (const name of ['main', ...COMMANDS]) {
    writeFileSync(join(folder, `${name}.js`), toProgram(name));
  }
  mkdirSync(join(folder, 'fonts'));
  for (const font of Object.values(FONTS))
    copyFileSync(
      join(ROOT, 'node_modules/dejavu-fonts-ttf/ttf', font),
      join(folder, 'fonts', font),
    );
  cpSync(join(ROOT, 'application/public'), join(folder, 'public'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), toManifest());
  writeFileSync(join(folder, 'LICENSES.txt'), collectLicenses(Object.keys(metafile.inputs)));
  nameLicences(folder);
  copyLibraries(folder);
}

/** The decoders of pictures stay files of their own: WebAssembly, with a licence that lets everybody replace them. */
function copyLibraries(folder: string): void {
  mkdirSync(join(folder, 'code', LIBRARY_FOLDER), { recursive: true });
  for (const [name, files] of Object.entries(LIBRARY_FILES)) {
    for (const file of files) {
      const to = join(folder, 'code', LIBRARY_FOLDER, basename(file));
      copyFileSync(join(ROOT, 'node_modules', name, file), to);
    }
    addPackage(folder, name);
  }
}

/** Loads the code once Node is new enough, its compile cache is on, and its errors will name the source. */
function toProgram(name: string): string {
  return `import './code/require-node.cjs';
process.setSourceMapsEnabled(true);
await import('./code/${name}.js');
`;
}

function toManifest(): string {
  const { version, license } = JSON.parse(readText('package.json'));
  const commands = Object.fromEntries(COMMANDS.map((name) => [name, `node ${name}.js`]));
  const scripts = { start: 'node main.js', ...commands };
  const name = 'seeother-application';
  const manifest = { name, version, private: true, license, type: 'module', scripts };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The packages of data that a file has in itself, or beside it. */
const SOURCES: Readonly<Record<string, string>> = {
  'application/items/labels/label-font.ts': 'node_modules/dejavu-fonts-ttf',
  'framework/src/accounts/common-passwords.ts': 'node_modules/@zxcvbn-ts/language-common',
};

/** The project's licence and those of the bundled packages, which demand that their texts come along. */
function collectLicenses(inputs: readonly string[]): string {
  const packages = inputs.map(
    (file) => SOURCES[file] ?? /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0],
  );
  const libraries = Object.keys(LIBRARY_FILES).map((name) => `node_modules/${name}`);
  const folders = [...new Set([...packages, ...libraries])]
    .filter((folder) => folder !== undefined)
    .sort();
  const texts = folders.map((folder) => {
    const { name } = JSON.parse(readText(`${folder}/package.json`));
    return `${name}\n\n${toWhole(readLicense(folder), folder)}`;
  });
  return [readText('LICENSE'), ...texts].join(`\n${'-'.repeat(80)}\n\n`);
}

/** Packages that contain other libraries, and where the texts of their licences are. */
const LICENCE_FILES: Readonly<Record<string, readonly string[]>> = {
  'node_modules/libheif-js': ['libheif-wasm/LICENSE'],
  'node_modules/wasm-vips': ['LICENSE', 'THIRD-PARTY-NOTICES.md'],
};

/** Files that a package has from somebody else, whose notice opens them. */
const FOREIGN_PARTS: Readonly<Record<string, string>> = {
  'node_modules/brotli': 'node_modules/brotli/dec/decode.js',
};

/** Some packages only name the MIT licence: its text is that of the project, with their author. */
function toWhole(text: string, folder: string): string {
  const { license, author } = JSON.parse(readText(`${folder}/package.json`));
  if (license !== 'MIT' || /copyright[\s\S]*\bas is\b/i.test(text)) return text;
  const name = typeof author === 'string' ? author : author.name;
  const whole = readText('LICENSE').replace(/^Copyright.*$/m, `Copyright (c) ${name}`);
  const foreign = FOREIGN_PARTS[folder];
  const [notice = ''] =
    foreign === undefined ? [] : (/\/\*[\s\S]*?\*\//.exec(readText(foreign)) ?? []);
  return `${whole}\n${notice}`.trim();
}

/** Of a package: a file of its own, or the end of its README. */
function readLicense(folder: string): string {
  const own = LICENCE_FILES[folder];
  if (own !== undefined) return own.map((file) => readText(`${folder}/${file}`)).join('\n');
  const files = readdirSync(join(ROOT, folder));
  const file = files.find((one) => /^licen[cs]e/i.test(one));
  if (file !== undefined) return readText(`${folder}/${file}`);
  const readme = files.find((one) => /^readme/i.test(one));
  const text = readme === undefined ? '' : readText(`${folder}/${readme}`);
  const [, license] = /^#+ licen[cs]e\s+([\s\S]+)/im.exec(text) ?? [];
  if (license === undefined)
    throw new Error(
      `Cannot bundle ${folder}: it has no text of its licence, which must come along.`,
    );
  return license;
}

if (import.meta.main) await bundle(join(ROOT, 'dist/application'));
