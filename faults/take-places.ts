/**
 * Clients that take the limited places of a service and keep them, on bare connections from addresses of their own.
 * Linux only, where all of 127.0.0.0/8 is this machine.
 */
import { connect } from 'node:net';
import { askServer, cookiesOf } from '../scripts/ask-server.ts';

export interface Client {
  /** Such as 127.0.1.1: each is a network of its own. */
  readonly address: string;
  /** Empty for a visitor. */
  readonly cookie: string;
}

export interface Sent {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
}

/** What a client does with its request. */
export interface Slowness {
  /** Bytes of the body that are promised beyond `body`. */
  readonly more?: number;
  /** Sent every two seconds. */
  readonly drip?: string;
}

export interface Taker {
  /** Of its answer; 0 before it, and for a client that does not read. */
  readonly status: () => number;
  /** Disconnects without notice. */
  readonly leave: () => void;
}

/** Milliseconds. The hash of a log-in may wait for fifty others. */
const TIMEOUT = 30_000;
const FORM = 'application/x-www-form-urlencoded';

/** Sends the request as far as it goes. The client of a GET does not read its answer beyond the first bytes. */
export function takePlace(url: string, client: Client, sent: Sent, slowness: Slowness): Taker {
  const { hostname, port, host } = new URL(url);
  const { method, path, type = FORM, body = '' } = sent;
  const { more = 0, drip } = slowness;
  const socket = connect({ host: hostname, port: Number(port), localAddress: client.address });
  let start = '';
  socket.on('error', () => {}).setEncoding('latin1');
  socket.on('data', (text: string) => {
    start ||= text;
    if (method === 'GET') socket.pause();
  });
  const length = method === 'GET' ? [] : [`Content-Length: ${body.length + more}`];
  const lines = [`Host: ${host}`, `Cookie: ${client.cookie}`, `Content-Type: ${type}`, ...length];
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  const timer = setInterval(() => {
    if (drip !== undefined && socket.writable) socket.write(drip);
  }, 2_000);
  return {
    status: () => Number(/^HTTP\/1\.1 (\d{3})/.exec(start)?.[1] ?? 0),
    leave() {
      clearInterval(timer);
      socket.resetAndDestroy();
    },
  };
}

/** The answer's status, and its cookie of a session; the status is 0 without an answer. */
export async function ask(
  url: string,
  { address, cookie }: Client,
  { method, path, type = FORM, body = '' }: Sent,
): Promise<{ readonly status: number; readonly session: string }> {
  const headers = { cookie, ...(method === 'POST' && { 'content-type': type }) };
  const signal = AbortSignal.timeout(TIMEOUT);
  const own = { method, headers, body, signal, agent: false, localAddress: address };
  try {
    const answer = await askServer(url, path, own);
    return { status: answer.status, session: cookiesOf(answer, 'sid=') };
  } catch {
    return { status: 0, session: '' };
  }
}
