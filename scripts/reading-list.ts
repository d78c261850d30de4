/**
 * The reading lists of the README and of docs/reading-forms.md, each with the lines to read: of a whole file, or of its
 * opening comment and the declarations that the entry names. Run by itself, it prints them.
 */
import { dirname, join } from 'node:path';
import { readText } from './project-files.ts';
import { toColumns } from './table.ts';

export interface Reading {
  readonly question: string;
  readonly entries: readonly {
    readonly file: string;
    readonly names: string;
    readonly lines: number;
  }[];
  readonly lines: number;
}

/** Entries such as `1. [a.ts](folder/a.ts), `one` and `two`: what it does`, below a heading that asks. */
export function readReadingLists(document: string): readonly Reading[] {
  return readText(document)
    .split(/^### /m)
    .slice(1)
    .map((section) => section.split(/^## /m)[0] ?? '')
    .map((section) => {
      const items = section.matchAll(/^\d+\. \[[^\]]+\]\(([^)]+\.ts)\)([^:]*):/gm);
      const entries = [...items].map(([, link = '', named = '']) => {
        const file = join(dirname(document), link);
        const names = [...named.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
        return { file, names: names.join(', '), lines: countLines(file, names) };
      });
      const lines = entries.reduce((sum, entry) => sum + entry.lines, 0);
      return { question: section.split('\n')[0] ?? '', entries, lines };
    })
    .filter(({ question }) => question.endsWith('?'));
}

function countLines(file: string, names: readonly string[]): number {
  const lines = readText(file).trimEnd().split('\n');
  if (names.length === 0) return lines.length;
  const opening = lines.findIndex((line) => line.endsWith('*/')) + 1;
  return names.reduce((sum, name) => sum + countDeclaration(file, lines, name), opening);
}

/** From its docstring to the line that closes it: Biome indents that like the first. */
function countDeclaration(file: string, lines: readonly string[], name: string): number {
  const start = lines.findIndex((line) =>
    new RegExp(
      `^\\s*(?:export )?(?:async )?(?:(?:function\\*?|const|class|interface|type) ${name}\\b|#?${name}(?:: )?(?:<.*>)?\\(.*(?:[({]|=>)$|(?<=async )#?${name}\\($)`,
    ).test(line),
  );
  if (start === -1) throw new Error(`Cannot read ${name} in ${file}: it declares no such name.`);
  const indent = /^\s*/.exec(lines[start] ?? '')?.[0] ?? '';
  const closes = new RegExp(`^${indent}[\\])}](.*[;,}])?$`);
  const end = lines.findIndex(
    (line, index) =>
      index >= start && (closes.test(line) || (index === start && line.endsWith(';'))),
  );
  const before = lines.slice(0, start).join('\n');
  const docstring = /(?:^|\n)\s*\/\*\*(?:(?!\*\/)[\s\S])*\*\/$/.exec(before)?.[0].trim() ?? '';
  return end + 1 - start + (docstring === '' ? 0 : docstring.split('\n').length);
}

if (import.meta.main) {
  const documents = ['README.md', 'docs/reading-forms.md'];
  for (const { question, entries, lines } of documents.flatMap(readReadingLists)) {
    const rows = entries.map((entry) => [`  ${entry.lines}`, entry.file, entry.names]);
    process.stdout.write(`${[`${lines} ${question}`, ...toColumns(rows)].join('\n')}\n`);
  }
}
