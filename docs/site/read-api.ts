/**
 * What the framework exports, read from its sources: `tsc` writes their declarations without checking them,
 * in about 0.3 s. So the reference is never older than the code.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEntries } from '../../scripts/pack-framework.ts';
import { ROOT } from '../../scripts/project-files.ts';
import {
  type Declaration,
  findDeclaration,
  readComment,
  readExports,
} from '../../scripts/read-declarations.ts';

export interface ApiEntry {
  /** What a program imports from, such as `seeother/node`. */
  readonly name: string;
  /** Of its page in the reference, as of that of an export. */
  readonly path: string;
  readonly docs: string;
  readonly exports: readonly Export[];
}

export interface Export extends Declaration {
  readonly entry: string;
  readonly path: string;
  /** The folder of its source in `framework/src`, such as `form`. */
  readonly room: string;
  /** What the types stand for that its code names. */
  readonly types: ReadonlyMap<string, Declaration>;
}

export function readApi(): readonly ApiEntry[] {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-declarations-'));
  try {
    emitDeclarations(folder);
    const entries = readEntries().map(([name, file]) => {
      const entry = join(folder, file.replace(/\.ts$/, '.d.ts'));
      const [comment = ''] = /^\/\*\*[\s\S]*?\*\//.exec(readFileSync(entry, 'utf8')) ?? [];
      return {
        name,
        path: `/reference/${name.replace('seeother/', '')}/`,
        docs: readComment(comment),
        declarations: readExports(entry).toSorted(byName),
      };
    });
    const exported = new Set(entries.flatMap(({ declarations }) => declarations.map(toKey)));
    return entries.map(({ declarations, ...entry }) => ({
      ...entry,
      exports: declarations.map((declaration) => ({
        ...declaration,
        entry: entry.name,
        path: `${entry.path}${folderOf(declaration, declarations)}/`,
        room: /src\/([^/]+)/.exec(declaration.file.replaceAll('\\', '/'))?.[1] ?? '',
        types: findTypes(declaration, exported),
      })),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function byName(one: Declaration, other: Declaration): number {
  return one.name.localeCompare(other.name);
}

/** Some file systems take `Html` and `html` for the same. */
function folderOf({ name }: Declaration, declarations: readonly Declaration[]): string {
  const isTaken = declarations.some(
    (other) => other.name > name && other.name.toLowerCase() === name.toLowerCase(),
  );
  return isTaken ? `${name}-type` : name;
}

/** The same declaration may be exported by several entries. */
export function toKey({ name, file }: Declaration): string {
  return `${file} ${name}`;
}

function emitDeclarations(folder: string): void {
  const config = join(folder, 'tsconfig.json');
  const compilerOptions = {
    rootDir: join(ROOT, 'framework'),
    outDir: folder,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    isolatedDeclarations: true,
    noCheck: true,
    noResolve: true,
    allowJs: false,
    types: [],
  };
  const include = ['*.ts', 'src'].map((path) => join(ROOT, 'framework', path));
  const extended = join(ROOT, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ extends: extended, compilerOptions, include }));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '--project', config]);
}

/** A conditional type, or one over the names of another type. */
const COMPUTED = /^(?:export )?(?:declare )?type [\s\S]*(?: \? |\bkeyof\b)/;

/**
 * The types that the code names, and those that they name, unless an entry exports them. A type that computes
 * another one is left out: nobody writes such a value.
 */
function findTypes(
  declaration: Declaration,
  exported: ReadonlySet<string>,
): ReadonlyMap<string, Declaration> {
  const found = new Map<string, Declaration>();
  let level = [declaration];
  for (let depth = 0; depth < 3; depth++) {
    const named = level.flatMap(({ code, file }) =>
      code
        .replaceAll(/\/\*[\s\S]*?\*\//g, '')
        .match(/\b[A-Z]\w*/g)
        ?.map((name) => findDeclaration(name, file)),
    );
    level = [];
    for (const type of named) {
      if (!type || type.name === declaration.name || found.has(type.name)) continue;
      if (COMPUTED.test(type.code)) continue;
      found.set(type.name, type);
      if (!exported.has(toKey(type))) level.push(type);
    }
  }
  return found;
}
