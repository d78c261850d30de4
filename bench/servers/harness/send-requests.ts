/**
 * Sends a fixed number of requests over connections that stay open, as wrk cannot. A connection sends its next request
 * after the previous answer. It reads as little of an answer as it can, so that the client is faster than the server.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { LoadRequest } from './generate-load.ts';

export interface Load {
  /** Sent in turn. */
  readonly requests: readonly Buffer[];
  readonly count: number;
  /** Of every answer; another one throws. */
  readonly status: number;
}

/** The server had too much to do, on a machine that stood still for a while: worth another try. */
export class Shed extends Error {}

export interface Client {
  /** Sends the load, closes the connections, and resolves to the answers. */
  readonly send: (load: Load) => Promise<readonly Buffer[]>;
}

/** Opens connections for one load: a server closes those that wait for long. */
export async function openClient(url: string, connections: number): Promise<Client> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: connections }, () =>
    connect({ host: hostname, port: Number(port), noDelay: true }),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return {
    async send({ requests, count, status }) {
      const answers: Buffer[] = [];
      let next = 0;
      const sendNext = async (socket: Socket) => {
        while (next < count) {
          const request = requests[next++ % requests.length] as Buffer;
          const answer = await ask(socket, request);
          const found = readStatus(answer);
          if (found === 503) throw new Shed(String(answer));
          if (found !== status) throw new Error(`${request}\nis answered:\n${answer}`);
          answers.push(answer);
        }
      };
      try {
        await Promise.all(sockets.map(sendNext));
        return answers;
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    },
  };
}

/** The bytes of a request. */
export function toBytes(url: string, { method, path, headers, body }: LoadRequest): Buffer {
  const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ Host: new URL(url).host, ...headers, ...length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
}

function ask(socket: Socket, request: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let answer: Buffer = Buffer.alloc(0);
    let length = Number.NaN;
    const fail = () => reject(new Error(`The server has closed the connection after ${request}`));
    const take = (part: Buffer) => {
      answer = answer.length === 0 ? part : Buffer.concat([answer, part]);
      if (Number.isNaN(length)) length = readLength(answer);
      if (answer.length < length || Number.isNaN(length)) return;
      socket.off('data', take).off('close', fail);
      resolve(answer);
    };
    socket.on('data', take).on('close', fail).write(request);
  });
}

/** Of the whole answer; NaN while its headers are not complete. */
function readLength(answer: Buffer): number {
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) return Number.NaN;
  if (readStatus(answer) === 304) return end + 4;
  const length = /\r\nContent-Length: *(\d+)/i.exec(answer.toString('latin1', 0, end))?.[1];
  if (length === undefined)
    throw new Error(`An answer has no length: ${answer.toString('latin1', 0, end)}`);
  return end + 4 + Number(length);
}

/** `HTTP/1.1 200 OK` */
function readStatus(answer: Buffer): number {
  return Number(answer.toString('latin1', 9, 12));
}
