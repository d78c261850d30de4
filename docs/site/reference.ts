/**
 * The reference as Markdown: a page for each entry of the framework, and one for each name that it exports,
 * with the docstring, the signature, the types that it names and the documents that use it.
 */
import type { Declaration } from '../../scripts/read-declarations.ts';
import type { Source } from './page.ts';
import { type Entry, type Export, toKey } from './read-api.ts';

/** What the folders of the framework's sources are about, in the order of the page of an entry. */
const ROOMS: Readonly<Record<string, string>> = {
  site: 'Sites',
  form: 'Forms',
  router: 'Routes and links',
  http: 'Requests and responses',
  chain: 'The chain',
  middleware: 'Middleware',
  session: 'Sessions',
};

/** The path of the page of each export. */
export function listPaths(entries: readonly Entry[]): ReadonlyMap<Export, string> {
  return new Map(
    entries.flatMap(({ name, exports }) =>
      exports.map((one) => [one, `${entryPath(name)}${folderOf(one, exports)}/`]),
    ),
  );
}

function entryPath(entry: string): string {
  return `/reference/${entry.replace('seeother/', '')}/`;
}

/** Some file systems take `Html` and `html` for the same. */
function folderOf({ name }: Export, exports: readonly Export[]): string {
  const isTaken = exports.some(
    (other) => other.name > name && other.name.toLowerCase() === name.toLowerCase(),
  );
  return isTaken ? `${name}-type` : name;
}

/** `usedIn` lists the documents that use an export, as Markdown links. */
export function writeReference(
  entries: readonly Entry[],
  paths: ReadonlyMap<Export, string>,
  usedIn: (one: Export) => readonly string[],
): readonly Source[] {
  // What several entries export is linked to the first.
  const published = new Map([...paths].toReversed().map(([one, path]) => [toKey(one), path]));
  return entries.flatMap((entry) => [
    { path: entryPath(entry.name), markdown: describeEntry(entry, paths) },
    ...entry.exports.map((one) => ({
      path: paths.get(one) ?? '',
      markdown: describeExport(
        one,
        [...one.types.values()].filter((type) => !published.has(toKey(type))),
        usedIn(one),
      ),
      typePath: (name: string) => {
        const type = one.types.get(name);
        return type && (published.get(toKey(type)) ?? `#${name.toLowerCase()}`);
      },
    })),
  ]);
}

function describeEntry({ name, docs, exports }: Entry, paths: ReadonlyMap<Export, string>): string {
  const rooms = new Set([...Object.keys(ROOMS), ...exports.map(({ room }) => room)]);
  const lists = [...rooms].map((room) => {
    const lines = exports
      .filter((one) => one.room === room)
      .map((one) => `- [\`${one.name}\`](${paths.get(one)}): ${firstSentence(one.docs)}`);
    const heading = ROOMS[room];
    return lines.length === 0
      ? []
      : [heading === undefined ? '' : `## ${heading}`, lines.join('\n')];
  });
  return [`# ${name}`, docs, ...lists.flat()].join('\n\n');
}

function firstSentence(docs: string): string {
  return docs.replaceAll('\n', ' ').split(/(?<=\.) /)[0] ?? '';
}

function describeExport(
  one: Export,
  types: readonly Declaration[],
  users: readonly string[],
): string {
  const isType = /^export (?:interface|type)/.test(one.code);
  const statement = `import ${isType ? 'type ' : ''}{ ${one.name} } from '${one.entry}';`;
  return [
    `# ${one.name}`,
    one.docs,
    signature(`${statement}\n\n${one.code}`),
    ...(users.length === 0 ? [] : ['## Used in', users.join(', ')]),
    ...(types.length === 0 ? [] : ['## Types']),
    ...types.flatMap((type) => [`### ${type.name}`, type.docs, signature(type.code)]),
  ].join('\n\n');
}

function signature(code: string): string {
  return `\`\`\`signature\n${code.replaceAll(/^(?:export )?(?:declare )?/gm, '')}\n\`\`\``;
}
