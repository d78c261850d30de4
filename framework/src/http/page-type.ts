/**
 * Which Content-Type is a page: something that a browser shows, with forms and messages in it. XHTML
 * is one as well as HTML.
 */
export function isPageType(contentType: string): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)(?![^\s;])/i.test(contentType);
}
