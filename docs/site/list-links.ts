/** The addresses that a page leads to, but those of its style sheets. */
import { toText } from './markdown.ts';

export function listLinks(text: string): readonly string[] {
  const pageLinks = text.matchAll(/<(?:a|link)\b[^>]* href="([^"]*)"/g);
  return [...pageLinks].map(([, link = '']) => toText(link)).filter((link) => !/\.css$/.test(link));
}
