/**
 * What a request costs, in counts instead of times: they are the same on a busy machine, so a test can hold them
 * against a budget. Server and client are in this process. The client reads no more of an answer than its length, which
 * costs some hundred bytes.
 */
import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import { onEvent } from '../events/events.ts';
import type { Request } from '../http/request.ts';
import type { Application } from '../server/application.ts';
import { serve } from '../server/node-server.ts';

/** Of one request: the middle one by each count, because timers work between some of them. */
export interface Cost {
  /** Of every answer. */
  readonly status: number;
  /**
   * Bytes on the heap of V8, those that were freed since included. They vary by a few percent, as V8 compiles more or
   * less.
   */
  readonly allocated: number;
  readonly promises: number;
  /** On a database of Seeother, those that begin and end transactions included. */
  readonly statements: number;
  /** That statements have returned. */
  readonly rows: number;
  /** Bytes of the answer, with its headers. */
  readonly sent: number;
  /** By the names of `further`. */
  readonly further: Readonly<Record<string, number>>;
}

/** Options of `countCost`. */
export interface CountOptions {
  /** Requests before the first count, in which V8 compiles the code; 2,000 by default. */
  readonly warmUp?: number;
  /** Requests that are counted; 1,000 by default. */
  readonly requests?: number;
  /** Counters of your own, such as the size of a log: the cost has how much each grows by a request. */
  readonly further?: Readonly<Record<string, () => number>>;
}

/**
 * Serves the site, sends it the request some thousand times, and resolves to the cost of one. A function makes a new
 * request each time, before it is counted: a form that counts once needs a new key. Throws if the answers have several
 * statuses.
 */
export async function countCost(
  site: Application,
  request: Request | (() => Request | Promise<Request>),
  { warmUp = 2_000, requests = 1_000, further = {} }: CountOptions = {},
): Promise<Cost> {
  // A body can be read once.
  const constant = typeof request === 'function' ? NOTHING : await toBytes(request);
  const make = async () => (typeof request === 'function' ? toBytes(await request()) : constant);
  const server = await serve(site, { host: '127.0.0.1', port: 0 });
  const statuses = new Set<number>();
  /** Makes the requests, and a connection that has had an answer. Resolves to what sends them. */
  const prepare = async (count: number): Promise<Send> => {
    const first = await make();
    const others: Buffer[] = [];
    while (others.length < count) others.push(await make());
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
    await once(socket, 'connect');
    await sendAll(socket.setNoDelay(), [first], statuses, () => {});
    return (between = () => {}) =>
      sendAll(socket, others, statuses, between).finally(() => socket.destroy());
  };
  try {
    const isLarge = (await countLarge(await prepare(warmUp), warmUp)) > LARGE;
    const count = isLarge ? countLarge : countAllocated;
    const allocated = await count(await prepare(requests), requests);
    const counted = await countEvents(await prepare(Math.ceil(requests / 2)), further);
    const [status = 0, ...others] = statuses;
    if (others.length > 0) {
      throw new Error(
        `Cannot count the cost of a request: its answers are ${[...statuses].join(', ')}.`,
      );
    }
    return { status, allocated, ...counted };
  } finally {
    await server.stop(0);
  }
}

const NOTHING = Buffer.alloc(0);

/** Sends requests. Calls `between` before each, and after the last answer, with the bytes received so far. */
type Send = (between?: (received: number) => void) => Promise<void>;

/** Bytes of a request during which V8 may free memory each time. */
const LARGE = 500_000;

/** By the size of the heap, which is exact to the byte. It shrinks in the few requests during which V8 frees memory. */
async function countAllocated(send: Send, count: number): Promise<number> {
  const used = new Float64Array(2 * count + 2);
  let next = 0;
  const read = () => {
    // The second time, for what reading itself takes.
    for (let times = 0; times < 2; times++) used[next++] = getHeapStatistics().used_heap_size;
  };
  await send(read);
  const costs = Array.from({ length: count }, (_, at) => {
    const [first = 0, second = 0, after = 0] = used.subarray(2 * at, 2 * at + 3);
    return after - second - (second - first);
  });
  return median(costs);
}

/** By what V8 has taken for objects, with the rest of a page each time that it frees memory: some percent too much. */
async function countLarge(send: Send, count: number): Promise<number> {
  const before = readAllocated();
  await send();
  return Math.round((readAllocated() - before) / count);
}

function readAllocated(): number {
  return getHeapStatistics().total_allocated_bytes ?? Number.NaN;
}

/** Counts what V8 could not count beside: a hook makes each promise larger. */
async function countEvents(
  send: Send,
  further: NonNullable<CountOptions['further']>,
): Promise<Omit<Cost, 'status' | 'allocated'>> {
  const counted = { promises: 0, statements: 0, rows: 0 };
  const end = onEvent('statement', ({ rows }) => {
    counted.statements++;
    counted.rows += rows;
  });
  const hook = createHook({
    init(_, type) {
      if (type === 'PROMISE') counted.promises++;
    },
  }).enable();
  const readings = { promises: [], statements: [], rows: [], sent: [] } as Readings<
    'promises' | 'statements' | 'rows' | 'sent'
  >;
  const own: Readings<string> = Object.fromEntries(Object.keys(further).map((name) => [name, []]));
  try {
    await send((sent) => {
      for (const [name, value] of Object.entries({ ...counted, sent }))
        readings[name as keyof typeof readings].push(value);
      for (const [name, read] of Object.entries(further)) own[name]?.push(read());
    });
  } finally {
    hook.disable();
    end();
  }
  return { ...middleOf(readings), further: middleOf(own) };
}

/** What each counter said before every request, and after the last answer. */
type Readings<Name extends string> = Readonly<Record<Name, number[]>>;

function middleOf<Name extends string>(readings: Readings<Name>): Record<Name, number> {
  const middles = Object.entries<number[]>(readings).map(([name, values]) => [
    name,
    median(values.slice(1).map((value, at) => value - (values[at] ?? 0))),
  ]);
  return Object.fromEntries(middles);
}

function median(counts: readonly number[]): number {
  return counts.toSorted((one, other) => one - other)[counts.length >> 1] ?? 0;
}

/** The bytes of the request, as a client sends them. */
async function toBytes({ method, target, headers, body }: Request): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  const content = Buffer.concat(chunks);
  if (body !== null && content.length === 0 && (headers['content-length'] ?? '0') !== '0') {
    throw new Error(
      `Cannot send ${method} ${target} once more: its body was read already. Pass a function that makes the request.`,
    );
  }
  const all = { host: 'localhost', ...headers };
  const length =
    body === null || 'content-length' in all ? {} : { 'content-length': content.length };
  const lines = Object.entries({ ...all, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`),
    content,
  ]);
}

/** Sends each request after the answer to the one before, without a promise for each. */
function sendAll(
  socket: Socket,
  requests: readonly Buffer[],
  statuses: Set<number>,
  between: (received: number) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let next = 0;
  let received = 0;
  let start: Buffer = NOTHING;
  let missing = Number.NaN;
  const sendNext = () => {
    between(received);
    const request = requests[next++];
    if (request === undefined) {
      socket.off('data', take).off('close', fail).off('error', reject);
      resolve();
      return;
    }
    missing = Number.NaN;
    socket.write(request);
  };
  const take = (part: Buffer) => {
    received += part.length;
    if (Number.isNaN(missing)) {
      start = start.length === 0 ? part : Buffer.concat([start, part]);
      const length = readLength(start);
      if (Number.isNaN(length)) return;
      statuses.add(readDigits(start, 9));
      missing = length - start.length;
      start = NOTHING;
    } else missing -= part.length;
    if (missing <= 0) sendNext();
  };
  const fail = () => reject(new Error('The server has closed the connection before the answer.'));
  socket.on('data', take).on('close', fail).on('error', reject);
  sendNext();
  return promise;
}

/** Of a whole answer; NaN while its headers, or the chunks of a stream, are not complete. */
function readLength(answer: Buffer): number {
  const end = answer.indexOf('\r\n\r\n') + 4;
  if (end < 4) return Number.NaN;
  const length = answer.indexOf('\r\nContent-Length: ');
  if (length !== -1 && length < end) return end + readDigits(answer, length + 18);
  const chunked = answer.indexOf('\r\nTransfer-Encoding: chunked');
  if (chunked === -1 || chunked > end) return end;
  return answer.subarray(-5).equals(LAST_CHUNK) ? answer.length : Number.NaN;
}

/** A zero and two ends of lines. */
const LAST_CHUNK = Buffer.of(48, 13, 10, 13, 10);

/** Without a string, which would be counted. */
function readDigits(bytes: Buffer, from: number): number {
  let number = 0;
  for (let at = from; ; at++) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) return number;
    number = number * 10 + digit;
  }
}
