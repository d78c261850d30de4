/**
 * The reference as Markdown: a page for each entry of the framework, and one for each name that it exports,
 * with the docstring, the signature, the types that it names and the documents that use it.
 */
import { type Declaration, firstSentence, toKey } from '../../scripts/read-declarations.ts';
import type { Source } from './page.ts';
import type { ApiEntry, Export } from './read-api.ts';

/** What the folders of the framework's sources are about, in the order of the page of an entry. */
const ROOMS: Readonly<Record<string, string>> = {
  database: 'Databases',
  site: 'Sites',
  form: 'Forms',
  field: 'Fields',
  once: 'Forms that count once',
  steps: 'Forms in steps',
  lists: 'Lists',
  tables: 'Tables of spreadsheets',
  router: 'Routes and links',
  http: 'Requests and responses',
  chain: 'The chain',
  middleware: 'Middleware',
  session: 'Sessions',
};
const ORDER = Object.keys(ROOMS);

/** `usedIn` lists the documents that use an export, as Markdown links. */
export function writeReference(
  entries: readonly ApiEntry[],
  usedIn: (one: Export) => readonly string[],
): readonly Source[] {
  // What several entries export is linked to the first.
  const published = new Map(
    entries
      .flatMap(({ exports }) => exports)
      .toReversed()
      .map((one) => [toKey(one), one.path]),
  );
  return entries.flatMap((entry) => [
    { path: entry.path, markdown: describeEntry(entry) },
    ...entry.exports.map((one) => ({
      path: one.path,
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

function describeEntry({ name, docs, exports }: ApiEntry): string {
  // The folder of the entry itself comes first, without a heading.
  const rooms = [...new Set(exports.map(({ room }) => room))].toSorted(
    (one, other) => ORDER.indexOf(one) - ORDER.indexOf(other),
  );
  const lists = rooms.flatMap((room) => [
    room in ROOMS ? `## ${ROOMS[room]}` : '',
    exports
      .filter((one) => one.room === room)
      .map((one) => `- [\`${one.name}\`](${one.path}): ${firstSentence(one.docs)}`)
      .join('\n'),
  ]);
  return [`# ${name}`, docs, ...lists].join('\n\n');
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
