/** One request as a browser sends it, outside the measured time. */
import { type Answer as Answered, askServer } from '../../../scripts/ask-server.ts';
import type { LoadRequest } from './generate-load.ts';

export type Answer = Pick<Answered, 'status' | 'headers' | 'body'>;

export const FORM = 'application/x-www-form-urlencoded';
export const CREDENTIALS = { username: 'ada', password: 'correct horse battery' };

export function visit(url: string, { method, path, headers, body }: LoadRequest) {
  const own = { method, headers, body: body.replaceAll('{n}', '0'), agent: false };
  return askServer(url, path.replaceAll('{n}', '0'), own);
}

export function getRequest(path: string, headers: Readonly<Record<string, string>> = {}) {
  return { method: 'GET', path, headers, body: '' } as const;
}

/** A form as the browser sends it from a page of the same site. */
export function formRequest(
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const own = { 'Content-Type': FORM, 'Sec-Fetch-Site': 'same-origin' };
  return { method: 'POST', path, headers: { ...own, ...headers }, body } as const;
}

/** Logs in; resolves to the Cookie header of the session. */
export async function logIn(url: string, path = '/login'): Promise<string> {
  const body = new URLSearchParams(CREDENTIALS).toString();
  const { status, headers } = await visit(url, formRequest(path, body));
  const cookies = (headers['set-cookie'] ?? [])
    .filter((line) => /; *path=\/(;|$)/i.test(line))
    .map((line) => line.slice(0, line.indexOf(';')));
  if (status !== 303 || cookies.length === 0) {
    throw new Error(`Cannot log in at ${url}${path}: the answer is ${status}.`);
  }
  return cookies.join('; ');
}
