/**
 * All pages, in the order of the navigation: every Markdown file of the documents, the reference, and a list
 * of its pages for each section without a `README.md`. A new file needs no entry anywhere.
 */
import { posix } from 'node:path';
import { listFiles, readText } from '../../scripts/project-files.ts';
import { leadOf, writeLlms } from './llms.ts';
import { renderMarkdown } from './markdown.ts';
import { type Page, parentOf, SECTIONS, type Source, sectionTitle, toLink } from './page.ts';
import { type ApiEntry, type Export, readApi } from './read-api.ts';
import { writeReference } from './reference.ts';

/** Every link in the pages begins with the base, under which the site is served; empty for none. */
export function readPages(base = ''): readonly Page[] {
  const documents = readDocuments();
  const entries = readApi();
  const reference = writeReference(entries, (one) => listUsers(one, documents));
  const filePaths = new Map([
    ...documents.map(({ file, path }) => [file, path] as const),
    ...SECTIONS.map((section) => [`docs/${section}`, `/${section}/`] as const),
  ]);
  const namePaths = indexNames(entries);
  return order([...reference, ...documents]).map(({ path, markdown, file, typePath }) => {
    const folder = posix.dirname(file ?? '');
    const toAddress = (target?: string) => target?.replace(/^\//, `${base}/`);
    const article = renderMarkdown(markdown, {
      ofFile: (target) => {
        if (target.startsWith('/')) return toAddress(target);
        const [, file] = /^docs\/site\/public(\/.*)/.exec(posix.join(folder, target)) ?? [];
        if (file !== undefined) return toAddress(file);
        const [name = '', hash = ''] = posix.join(folder, target).split(/(?=#)/);
        const address = toAddress(filePaths.get(name));
        return address && `${address}${hash}`;
      },
      ofName: (name, entry = '') => toAddress(namePaths.get(`${entry} ${name}`)),
      ofType: (name) => toAddress(typePath?.(name)),
    });
    return { path, ...article };
  });
}

/**
 * What programs read, by path: `/llms.txt`, the API report, and each document as Markdown, such as `/guides/forms.md`.
 */
export function readTexts(base = ''): ReadonlyMap<string, string> {
  const documents = readDocuments().filter(({ path }) => path !== '/');
  const toMarkdown = (path: string) => path.replace(/\/$/, '.md');
  return new Map([
    ['/llms.txt', writeLlms(documents, (path) => base + toMarkdown(path))],
    ['/api-report.txt', readText('docs/api-report.txt')],
    ...documents.map(({ path, markdown }) => [toMarkdown(path), markdown] as const),
  ]);
}

/** The path of a document is that of its file; those outside of a section belong to the reference. */
function readDocuments(): readonly (Source & { readonly file: string })[] {
  const documents = listFiles('docs')
    .filter((file) => file.endsWith('.md'))
    .map((file) => {
      const name = file.slice('docs'.length, -'.md'.length);
      const path = /^\/(?!README)[^/]*$/.test(name) ? `/reference${name}/` : `${name}/`;
      return { file, path: path.replace(/README\/$/, ''), markdown: readText(file) };
    });
  const linked = documents.filter(({ file }) => file.endsWith('README.md')).flatMap(listLinks);
  const rank = (file: string) => (linked.includes(file) ? linked.indexOf(file) : linked.length);
  return documents.toSorted(
    ({ file: one }, { file: other }) =>
      rank(one) - rank(other) || one.localeCompare(other, 'en', { numeric: true }),
  );
}

/** An index lists its pages in the order in which they are to be read. */
function listLinks({ file, markdown }: Source): readonly string[] {
  const folder = posix.dirname(file ?? '');
  return [...markdown.matchAll(/\]\(([^)#]+)/g)].map(([, target = '']) =>
    posix.join(folder, target),
  );
}

/** The paths of exports by entry and name, and by name alone: then the first entry that has it counts. */
function indexNames(entries: readonly ApiEntry[]): ReadonlyMap<string, string> {
  const exports = entries.flatMap((entry) => entry.exports).toReversed();
  return new Map(
    exports.flatMap(({ entry, name, path }) => [
      [` ${name}`, path],
      [`${entry} ${name}`, path],
    ]),
  );
}

/** The documents whose examples import the export; if there are none, those that name it in code. */
function listUsers({ entry, name }: Export, documents: readonly Source[]): readonly string[] {
  const word = `(?<![\\w$])${name}(?![\\w$])`;
  const imported = new RegExp(`^import [^;]*?${word}[^;]*? from '${entry}';`, 'm');
  const named = new RegExp(
    `\`[^\`\n]*${word}[^\`\n]*\`|^\`\`\`ts(?:(?!^\`\`\`)[\\s\\S])*?${word}`,
    'm',
  );
  const users = [imported, named]
    .map((pattern) => documents.filter(({ markdown }) => pattern.test(markdown)))
    .find((found) => found.length > 0);
  return (users ?? []).map(toLink);
}

function order(sources: readonly Source[]): readonly Source[] {
  const start = sources.filter(({ path }) => path === '/');
  const sections = SECTIONS.map((section) => {
    const own = sources.filter(({ path }) => path.startsWith(`/${section}/`));
    const index = own.find(({ path }) => path === `/${section}/`) ?? listSection(section, own);
    return [index, ...own.filter((source) => source !== index)];
  });
  return [...start, ...sections.filter(({ length }) => length > 1).flat()];
}

function listSection(section: string, sources: readonly Source[]): Source {
  const path = `/${section}/`;
  const pages = sources.filter((source) => parentOf(source.path) === path);
  const lines = pages.map((page) => `- ${toLink(page)}: ${leadOf(page)}`);
  return { path, markdown: `# ${sectionTitle(section)}\n\n${lines.join('\n')}` };
}
