/**
 * The API report: every exported name of each entry with the first sentence of its docstring and its signature,
 * as `tsc` declares it. `npm run api` writes it to `docs/api-report.txt`, and a test compares it, so that a
 * change of the API shows in a diff.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packFramework, readEntries } from './pack-framework.ts';
import { ROOT } from './project-files.ts';
import {
  type Declaration,
  findTypes,
  firstSentence,
  readExports,
  toKey,
} from './read-declarations.ts';

export const REPORT = join(ROOT, 'docs/api-report.txt');

const INTRODUCTION = `Every name that seeother and its entries export, as the packed declarations have it: the first sentence of
the docstring, and the signature. At the end are the types of the options, which no entry
exports, with those that they name. "npm run api" writes this file anew; a test fails if it differs.
`;

/** The report of the package in the folder, as built by \`packFramework\`. */
export function createReport(folder: string): string {
  const entries = readEntries().map(([name, file]) => {
    const entry = join(folder, 'dist', file.replace(/\.ts$/, '.d.ts'));
    return { name, declarations: readExports(entry) };
  });
  const all = entries.flatMap(({ declarations }) => declarations);
  const exported = new Set(all.map(toKey));
  const options = all
    .flatMap((one) => [...findTypes(one, exported).values()])
    .filter(({ name }) => name.endsWith('Options'));
  const named = new Map(
    [...options, ...options.flatMap((one) => [...findTypes(one, exported, 1).values()])]
      .filter((type) => !exported.has(toKey(type)))
      .map((type) => [toKey(type), type]),
  );
  const types = [...named.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const sections = [...entries, { name: 'types of options', declarations: types }].map(
    ({ name, declarations }) => `\n=== ${name}\n\n${declarations.map(describe).join('\n')}\n`,
  );
  return INTRODUCTION + sections.join('');
}

/** The first sentence of its docstring as a comment, and its signature without the docstrings of members. */
function describe({ docs, code }: Declaration): string {
  const sentence = firstSentence(docs);
  const signature = code.replaceAll(/^ *\/\*\*(?:[^*]|\*(?!\/))*\*\/\n/gm, '');
  return sentence === '' ? signature : `// ${sentence}\n${signature}`;
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-api-'));
  try {
    packFramework(folder);
    writeFileSync(REPORT, createReport(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
