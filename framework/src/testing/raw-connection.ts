/**
 * A client on a bare TCP connection, for tests of single bytes. Text is Latin-1, so its length is its
 * number of bytes. If the server sends nothing for a while, a wait rejects with what has arrived,
 * instead of hanging.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawConnection {
  /** Resolves when the system has accepted the bytes. */
  readonly write: (text: string | Uint8Array) => Promise<void>;
  /** All received text, once it contains `text`. */
  readonly until: (text: string) => Promise<string>;
  /** All received text, once the server has ended the connection. Rejects if it was reset. */
  readonly untilEnd: () => Promise<string>;
  /** Disconnects without notice: the server sees a reset. */
  readonly leave: () => void;
}

/** An answer as `readAnswers` finds it in the bytes that arrived. */
export interface RawAnswer {
  readonly status: number;
  /** The value of the header, its lines joined by ` | `; null if it is missing. */
  readonly header: (name: string) => string | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Decoded from its chunks. */
  readonly body: string;
}

const MAX_SILENCE = 10_000;

/**
 * Opens a TCP connection to a server, for tests of single bytes. A wait rejects after ten seconds of
 * silence, with what has arrived.
 */
export async function connectRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  return overSocket(socket);
}

/** Sends the text on its own connection, and returns all received text. */
export async function exchange(url: string, text: string | Uint8Array): Promise<string> {
  const connection = await connectRaw(url);
  await connection.write(text);
  return connection.untilEnd();
}

function overSocket(socket: Socket): RawConnection {
  let received = '';
  socket.setEncoding('latin1').setTimeout(MAX_SILENCE);
  socket.on('data', (text: string) => {
    received += text;
  });
  socket.on('timeout', () => {
    socket.destroy(new Error(`The server sent nothing more after ${JSON.stringify(received)}.`));
  });
  const { promise: ended, resolve, reject } = Promise.withResolvers<string>();
  ended.catch(() => {});
  socket.on('error', reject).on('end', () => resolve(received));

  return {
    write(text) {
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text, () => resolve());
      return promise;
    },
    async until(text) {
      const arrival = Promise.withResolvers<void>();
      const look = () => received.includes(text) && arrival.resolve();
      socket.on('data', look);
      look();
      await Promise.race([arrival.promise, ended]);
      socket.off('data', look);
      if (received.includes(text)) return received;
      throw new Error(`The server ended without ${JSON.stringify(text)}: ${received}`);
    },
    untilEnd: () => ended,
    leave: () => socket.resetAndDestroy(),
  };
}

/** Parses the answers in received text; `methods` are those of the requests, GET by default. */
export function readAnswers(received: string, methods: readonly string[] = []): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = received;
  while (rest !== '') {
    const [head = '', ...after] = rest.split('\r\n\r\n');
    if (after.length === 0) throw new Error(`An answer's headers are truncated: ${rest}`);
    const [statusLine = '', ...lines] = head.split('\r\n');
    const headers = lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
    });
    const header = (name: string) => {
      const values = headers.filter(([one]) => one.toLowerCase() === name.toLowerCase());
      return values.length === 0 ? null : values.map(([, value]) => value).join(' | ');
    };
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    const bodiless =
      status < 200 || status === 204 || status === 304 || methods[answers.length] === 'HEAD';
    const body = bodiless ? { text: '', rest: after.join('\r\n\r\n') } : readBody(header, after);
    answers.push({ status, header, headers, body: body.text });
    rest = body.rest;
  }
  return answers;
}

/** The statuses of the answers, in their order. */
export const statusesOf = (received: string): readonly number[] =>
  readAnswers(received).map(({ status }) => status);

/** The bodies of the answers, in their order. */
export const bodiesOf = (received: string): readonly string[] =>
  readAnswers(received).map(({ body }) => body);

function readBody(header: RawAnswer['header'], after: readonly string[]) {
  const content = after.join('\r\n\r\n');
  if (header('Transfer-Encoding') === 'chunked') return readChunks(content);
  const length = Number(header('Content-Length') ?? Number.NaN);
  if (content.length < length) throw new Error(`An answer's body is truncated: ${content}`);
  if (Number.isNaN(length)) throw new Error(`An answer has no length: ${content}`);
  return { text: content.slice(0, length), rest: content.slice(length) };
}

function readChunks(content: string) {
  let text = '';
  let rest = content;
  for (;;) {
    const [, size = '', after = ''] = /^([0-9a-f]+)\r\n([\s\S]*)$/i.exec(rest) ?? [];
    const length = Number.parseInt(size, 16);
    if (!(after.slice(length, length + 2) === '\r\n')) {
      throw new Error(`An answer's chunks are truncated: ${content}`);
    }
    text += after.slice(0, length);
    rest = after.slice(length + 2);
    if (length === 0) return { text, rest };
  }
}
