/** What the Accept header says about HTML (RFC 9110 section 12.5.1). Weights are not compared. */
import type { Request } from './request.ts';

/** True unless the client names what it accepts, and no HTML among it: such a program gets plain text. */
export function acceptsHtml({ headers }: Request): boolean {
  const { accept } = headers;
  return accept === undefined || /text\/(html|\*)|\*\/\*/.test(accept);
}

/** True if the client names HTML, as a browser does that opens a page. */
export function namesHtml({ headers }: Request): boolean {
  return headers['accept']?.includes('text/html') ?? false;
}
