/** `llms.txt` (llmstxt.org): what the documents are, and where each stands as Markdown, for programs that read them. */
import { SECTIONS, type Source, sectionTitle, titleOf } from './page.ts';

const INTRODUCTION = `# Seeother

> A server-side web framework for HTML forms in TypeScript. No form is ever lost, doubled or resubmitted, and the
> compiler checks the middleware chain. Browsers need no JavaScript.

Every TypeScript example of these documents is compiled and run by a test.`;

/** The API report, and the documents by section. `toAddress` gets a path from the root of the documents. */
export function writeLlms(
  sources: readonly Pick<Source, 'path' | 'markdown'>[],
  toAddress: (path: string) => string,
): string {
  const report = `- [The API](${toAddress('/api-report.txt')}): every exported name with its signature, and all options.`;
  const sections = SECTIONS.flatMap((section) => {
    const links = sources
      .filter(({ path }) => path.startsWith(`/${section}/`))
      .map((one) => `- [${titleOf(one)}](${toAddress(one.path)}): ${leadOf(one)}`);
    return links.length === 0 ? [] : [`## ${sectionTitle(section)}\n\n${links.join('\n')}`];
  });
  return `${[INTRODUCTION, report, ...sections].join('\n\n')}\n`;
}

/** The first paragraph, without its links. */
export function leadOf({ markdown }: Pick<Source, 'markdown'>): string {
  const [, paragraph = ''] = /^# .*\n\n([\s\S]*?)(?:\n\n|$)/m.exec(markdown) ?? [];
  return paragraph.replaceAll('\n', ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}
