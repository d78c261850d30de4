/**
 * The project of the tutorial after each of its steps, assembled from the blocks of docs/tutorial that name
 * a file: `ts title="router.ts"` is the whole file, `ts title="router.ts" append` stands at its end, and
 * `diff title="router.ts"` has changes, with `@@` between two places. The examples test runs none of these.
 */
import { listFiles, readText } from './project-files.ts';

export interface Step {
  /** Such as `docs/tutorial/3-a-form.md`. */
  readonly document: string;
  /** By path. Each step has those of the steps before it. */
  readonly files: ReadonlyMap<string, string>;
  /** The commands that run a line of JavaScript. */
  readonly commands: readonly string[];
}

const BLOCK = /^```(\w+) title="([^"]+)"( append)?\n([\s\S]*?)^```$/gm;
const COMMAND = /^node -e .+$/gm;

export function readTutorial(): readonly Step[] {
  const documents = listFiles('docs/tutorial').filter((file) => /\/\d-[^/]+\.md$/.test(file));
  const files = new Map<string, string>();
  return documents.sort().map((document) => {
    const markdown = readText(document);
    for (const [, language = '', file = '', append, body = ''] of markdown.matchAll(BLOCK)) {
      const before = files.get(file);
      if (language !== 'diff' && append === undefined) files.set(file, body);
      else if (before === undefined)
        throw new Error(`${document} changes ${file} before it is there.`);
      else
        files.set(file, append === undefined ? applyChanges(before, body) : `${before}\n${body}`);
    }
    return { document, files: new Map(files), commands: markdown.match(COMMAND) ?? [] };
  });
}

/** Throws if the place of a change is not there, or there twice. */
export function applyChanges(text: string, changes: string): string {
  let changed = `\n${text}`;
  for (const place of changes.split(/^@@\n/m)) {
    const lines = place.split('\n').slice(0, -1);
    const without = (sign: string) =>
      `\n${lines
        .filter((line) => !line.startsWith(sign))
        .map((line) => `${line.slice(1)}\n`)
        .join('')}`;
    const old = without('+');
    const at = changed.indexOf(old);
    if (at === -1 || at !== changed.lastIndexOf(old))
      throw new Error(`Cannot change the file: these lines are not there, or there twice:${old}`);
    changed = changed.slice(0, at) + without('-') + changed.slice(at + old.length);
  }
  return changed.slice(1);
}
