/**
 * An address that no route has gets a 404 in plain text, as the specification says. Only a person who opens
 * it in a browser gets a page instead: a request that names HTML and says that it navigates, for a path that
 * is not of a file such as `/favicon.ico`. Programs and tests that only name HTML get the plain text.
 */
import { isSafe, type Middleware, page, type Request, type SessionContext } from 'seeother';
import { toViewer } from '../site/layout.ts';
import { unknownAddressPage } from './error-page.ts';

export const showUnknownAddress: Middleware<SessionContext> = function showUnknownAddress(
  context,
  next,
) {
  const { request, route, session } = context;
  if (route !== null || !isOpened(request)) return next(context);
  // The flash message stays for the page that it belongs to.
  return page(unknownAddressPage(toViewer({ session, flash: null }), request.path), 404);
};

/** Over plain http, browsers do not send Sec-Fetch-Mode; with a navigation, they send the other header. */
function isOpened(request: Request): boolean {
  const { path, headers, malformed } = request;
  return (
    isSafe(request) &&
    malformed === null &&
    (headers['accept']?.includes('text/html') ?? false) &&
    (headers['sec-fetch-mode'] === 'navigate' || headers['upgrade-insecure-requests'] === '1') &&
    !/\.\w+$/.test(path)
  );
}
