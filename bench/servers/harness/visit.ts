/** One request as a browser sends it, outside the measured time. */
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import type { LoadRequest } from './generate-load.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export const FORM = 'application/x-www-form-urlencoded';
export const CREDENTIALS = { username: 'ada', password: 'correct horse battery' };

/** Not by `fetch`: beside If-None-Match it sends Cache-Control: no-cache, which forbids the 304. */
export async function visit(url: string, { method, path, headers, body }: LoadRequest) {
  const request = send(url + path.replaceAll('{n}', '0'), { method, headers, agent: false });
  request.end(body.replaceAll('{n}', '0'));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const answer: Answer = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: await text(response),
  };
  return answer;
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
