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
  findTypes,
  readComment,
  readExports,
  toKey,
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
  const exclude = ['test', 'fixture'].map((kind) => join(ROOT, `framework/**/*.${kind}.ts`));
  const extended = join(ROOT, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ extends: extended, compilerOptions, include, exclude }));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '--project', config]);
}
