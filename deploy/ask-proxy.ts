/** An https client for a proxy on this machine, under the name that the proxy serves. */
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { RunningProxy } from './start-proxy.ts';

export const ORIGIN = 'https://things.example';

export interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly cookies: readonly string[];
  /** By lower-case name, one entry per line. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  readonly body: string;
}

export type Ask = (
  path: string,
  options?: {
    readonly headers?: Readonly<Record<string, string>>;
    /** Makes the request a POST. */
    readonly body?: string;
  },
) => Promise<Answer>;

/** Rejects if the connection breaks. Connections are reused, as in a browser. */
export function createAsk({ https, certificate }: RunningProxy): Ask {
  const agent = new Agent({ ca: certificate, servername: 'things.example', keepAlive: true });
  return (path, { headers = {}, body } = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const form = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const message = request({
      host: '127.0.0.1',
      port: https,
      path,
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: { host: 'things.example', ...form, ...headers },
    });
    message.on('error', reject);
    message.on('response', (answer) => {
      text(answer).then(
        (content) =>
          resolve({
            status: answer.statusCode ?? 0,
            location: answer.headers.location,
            cookies: answer.headers['set-cookie'] ?? [],
            headers: answer.headersDistinct,
            body: content,
          }),
        reject,
      );
    });
    message.end(body);
    return promise;
  };
}

/** Creates the first account; resolves to the Cookie header of its session. */
export async function logInBehind(ask: Ask): Promise<string> {
  const body = 'username=ada&password=correct+horse+battery';
  const { status, cookies } = await ask('/register', { headers: { origin: ORIGIN }, body });
  if (status !== 303) throw new Error(`Cannot log in: the answer is ${status}.`);
  return cookies.map((line) => line.split(';')[0]).join('; ');
}
