/** An https client for a proxy on this machine, under the name that the proxy serves. */
import { Agent } from 'node:https';
import { type Answer, askServer, cookiesOf } from '../scripts/ask-server.ts';
import type { RunningProxy } from './start-proxy.ts';

export const ORIGIN = 'https://things.example';

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
    const form = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    return askServer(`https://127.0.0.1:${https}`, path, {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: { host: 'things.example', ...form, ...headers },
      body,
    });
  };
}

/** Creates the first account; resolves to the Cookie header of its session. */
export async function logInBehind(ask: Ask): Promise<string> {
  const body = 'username=ada&password=correct+horse+battery';
  const answer = await ask('/register', { headers: { origin: ORIGIN }, body });
  if (answer.status !== 303) throw new Error(`Cannot log in: the answer is ${answer.status}.`);
  return cookiesOf(answer);
}
