/**
 * Whether a Content-Type is that of a page, which browsers show with forms and messages: HTML or XHTML.
 */
export function isPageType(contentType: string): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)(?![^\s;])/i.test(contentType);
}
