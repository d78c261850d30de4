/**
 * The API report: every exported name of each entry with the first sentence of its docstring and its signature,
 * as `tsc` declares it. `npm run api` writes it to `docs/api-report.txt`, and a test compares it, so that a
 * change of the API shows in a diff.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packFramework, readEntries } from './pack-framework.ts';
import { ROOT } from './project-files.ts';

export const REPORT = join(ROOT, 'docs/api-report.txt');

const INTRODUCTION = `Every name that seeother and its entries export, as the packed declarations have it: the first sentence of
the docstring, and the signature. "npm run api" writes this file anew; a test fails if it differs.
`;

/** The report of the package in the folder, as built by \`packFramework\`. */
export function createReport(folder: string): string {
  const sections = readEntries().map(([name, file]) => {
    const entry = join(folder, 'dist', file.replace(/\.ts$/, '.d.ts'));
    return `\n=== ${name}\n\n${describeEntry(entry).join('\n')}\n`;
  });
  return INTRODUCTION + sections.join('');
}

/** The names in alphabetical order. */
function describeEntry(entry: string): readonly string[] {
  const lists = readFileSync(entry, 'utf8').matchAll(
    /^export (?:type )?\{([^}]*)\} from '([^']+)';/gm,
  );
  return [...lists]
    .flatMap(([, names = '', module = '']) => {
      const file = join(dirname(entry), module.replace(/\.ts$/, '.d.ts'));
      const declarations = readDeclarations(readFileSync(file, 'utf8'));
      return names
        .split(',')
        .map((name) => name.replace('type ', '').trim())
        .filter((name) => name !== '')
        .map((name) => ({ name, text: declarations.get(name) ?? notFound(name, file) }));
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ text }) => text);
}

/** The declarations of a file by name; overloads are one text. */
function readDeclarations(file: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const pattern =
    /^(?:(\/\*\*[^\n]*\n(?: \*[^\n]*\n)*))?export (?:declare )?(?:abstract )?(?:const|function|class|interface|type) (\w+)[\s\S]*?(?=^(?:export|declare|type|interface|import|\/\*\*|\/\/#)|$(?![\s\S]))/gm;
  for (const [text, comment = '', name = ''] of file.matchAll(pattern)) {
    const code = text
      .slice(comment.length)
      .replaceAll(/^ *\/\*\*(?:[^*]|\*(?!\/))*\*\/\n/gm, '')
      .replaceAll('    ', '  ')
      .trim();
    const earlier = found.get(name);
    const line = firstSentence(comment);
    found.set(name, earlier === undefined ? `${line}${code}` : `${earlier}\n${code}`);
  }
  return found;
}

/** The first sentence of a docstring, as a comment. */
function firstSentence(comment: string): string {
  const text = comment
    .split('\n')
    .map((line) =>
      line
        .replace(/^ ?\/?\*+\/?/, '')
        .replace(/\*\/$/, '')
        .trim(),
    )
    .join(' ')
    .trim();
  return text === '' ? '' : `// ${text.split(/(?<=\.) /)[0]}\n`;
}

function notFound(name: string, file: string): never {
  throw new Error(`Cannot report ${name}: ${file} does not declare it at the start of a line.`);
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-api-'));
  try {
    packFramework(folder);
    writeFileSync(REPORT, createReport(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
