/** What a page is made of, and where it stands among the others. */
import type { Addresses, Article } from './markdown.ts';

/** A document, before it is rendered. */
export interface Source {
  /** It ends in `/`, as `/guides/forms/`. */
  readonly path: string;
  readonly markdown: string;
  /** From the root of the repository, for links to other files. */
  readonly file?: string;
  /** The path of the page of a type in a signature. */
  readonly typePath?: Addresses['ofType'];
}

export interface Page extends Article {
  readonly path: string;
}

/** The folders of the documents, in the order of the navigation. */
export const SECTIONS = [
  'tutorial',
  'guides',
  'recipes',
  'coming-from',
  'application',
  'security',
  'reference',
  'decisions',
];

/** "Coming from" for `coming-from`. */
export function sectionTitle(section: string): string {
  return section.charAt(0).toUpperCase() + section.slice(1).replaceAll('-', ' ');
}

/** `/guides/` for `/guides/forms/`. */
export function parentOf(path: string): string {
  return path.replace(/[^/]+\/$/, '');
}

/** A link to its page, as Markdown. */
export function toLink(source: Source): string {
  return `[${titleOf(source)}](${source.path})`;
}

export function titleOf({ path, markdown }: Pick<Source, 'path' | 'markdown'>): string {
  return /^# (.*)$/m.exec(markdown)?.[1] ?? path;
}
