/**
 * The cookie that holds the token of a session. A response that sets it is `no-store`: from a
 * shared cache, another user would get the session.
 *
 * Cookies do not tell ports apart. So a log-in leaves the tokens that other sites of this host have put into the cookie
 * behind its own, and none of them logs a user out of another. Each token is known to one site alone.
 */
import type { Request } from '../http/request.ts';
import { type Response, withHeader } from '../http/response.ts';
import { readHostCookie, withHostCookie } from './host-cookie.ts';
import type { SessionStore } from './session-store.ts';
import { isToken, toTokenKey } from './token.ts';

/** Beyond these, the oldest are forgotten. */
const MAX_TOKENS = 4;

/** The tokens in the cookie; usually none or one. None if the request has it twice: one may be planted. */
export function readTokens(request: Request): readonly string[] {
  const values = readHostCookie(request, 'session');
  const [value = ''] = values;
  if (values.length > 1) return [];
  return isToken(value) ? values : tokensIn(value);
}

/** None if the value has anything else. */
export function tokensIn(value: string): readonly string[] {
  const tokens = value.split('.', MAX_TOKENS + 1);
  return tokens.length <= MAX_TOKENS && tokens.every(isToken) ? tokens : [];
}

/**
 * The tokens of other sites: not `own`, the key of the session that was found. One that the store knows is of this site
 * too: somebody may have planted it.
 */
export async function tokensOfOthers(
  request: Request,
  store: Pick<SessionStore, 'find'>,
  own: string | null,
): Promise<readonly string[]> {
  const tokens = readTokens(request).filter((token) => toTokenKey(token) !== own);
  const sessions = await Promise.all(tokens.map((token) => store.find(toTokenKey(token))));
  return tokens.filter((_, at) => sessions[at] === null);
}

/** `maxAge` is in milliseconds. Without tokens the cookie is cleared. */
export function withSessionCookie(
  response: Response,
  request: Request,
  tokens: readonly string[],
  maxAge: number,
): Response {
  const value = tokens.slice(0, MAX_TOKENS).join('.');
  const cookie = { name: 'session', value, maxAge: maxAge / 1000 };
  return withHeader(withHostCookie(response, request, cookie), 'Cache-Control', 'no-store');
}
