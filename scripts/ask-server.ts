/**
 * One request over a socket, for programs that measure or disturb a server. Not by `fetch`: it normalizes the path, and
 * sends `Cache-Control: no-cache` beside If-None-Match.
 */
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { type RequestOptions, request as requestSecurely } from 'node:https';
import { text } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  /** The lines of Set-Cookie. */
  readonly cookies: readonly string[];
  readonly headers: IncomingHttpHeaders;
  /** By lower-case name, one entry per line. */
  readonly lines: Readonly<Record<string, readonly string[] | undefined>>;
  readonly body: string;
}

/** Rejects if the connection breaks. */
export async function askServer(
  origin: string,
  path: string,
  { body, ...options }: RequestOptions & { readonly body?: string | undefined } = {},
): Promise<Answer> {
  const { protocol, hostname, port } = new URL(origin);
  const send = protocol === 'https:' ? requestSecurely : request;
  const sent = send({ hostname, port, path, ...options }).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode: status = 0, headers, headersDistinct: lines } = answer;
  const { location, 'set-cookie': cookies = [] } = headers;
  return { status, location, cookies, headers, lines, body: await text(answer) };
}

/** What the Cookie header of the next request says; of one cookie if `name` is given. */
export function cookiesOf({ cookies }: Answer, name = ''): string {
  return cookies
    .map((line) => line.split(';', 1)[0] ?? '')
    .filter((pair) => pair.startsWith(name))
    .join('; ');
}
