/**
 * Sends requests to a bucket, and again after a failure that may pass: no connection, 429 and 5xx. A request that was
 * carried out although its answer was lost is carried out twice, which changes nothing but `complete` of a multipart
 * upload.
 */
import { setTimeout } from 'node:timers/promises';
import type { BucketAddress } from './bucket-address.ts';
import { type Credentials, signRequest } from './sign-request.ts';

const TRIES = 4;
/** Milliseconds before the second try; twice as long before each further one. */
const PAUSE = 100;
/** Milliseconds for the head of an answer. */
const PATIENCE = 20_000;
/** Characters of the text of an error that are read. */
const MAX_ERROR = 4_096;

/** An answer of the service that is no success. */
export class S3Error extends Error {
  readonly status: number;
  /** Such as `NoSuchKey`; empty if the answer names none, as that to HEAD. */
  readonly code: string;

  constructor(what: string, status: number, text: string) {
    const code = /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? '';
    const message = /<Message>([^<]*)<\/Message>/.exec(text)?.[1] ?? '';
    super(`Cannot ${what}: ${[status, code, message].filter(Boolean).join(' ')}`);
    this.status = status;
    this.code = code;
  }
}

export interface Asked {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** After the prefix; empty for the mark's neighbours, such as the prefix itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | string;
  /** For errors: `write the file`. */
  readonly what: string;
}

export type Ask = (asked: Asked) => Promise<globalThis.Response>;

/** Rejects with an `S3Error`, or with the error of the connection. */
export function createS3Client(address: BucketAddress, credentials: Credentials): Ask {
  const { base, region, name } = address;
  const askOnce = async ({ method, key, query = {}, headers = {}, body = '', what }: Asked) => {
    const url = new URL(key, base);
    for (const [one, value] of Object.entries(query)) url.searchParams.set(one, value);
    const signed = signRequest({ method, url, body, region, now: new Date() }, credentials);
    const patience = new AbortController();
    const timer = globalThis.setTimeout(
      () => patience.abort(new Error(`${url.origin} gave no answer for ${PATIENCE / 1_000} s`)),
      PATIENCE,
    );
    try {
      const answer = await fetch(url, {
        method,
        headers: { 'accept-encoding': 'identity', ...signed, ...headers },
        redirect: 'manual',
        signal: patience.signal,
        ...(method === 'PUT' || method === 'POST' ? { body } : {}),
      });
      if (answer.ok) return answer;
      throw new S3Error(`${what} in ${name}`, answer.status, await readError(answer));
    } catch (error) {
      if (error instanceof S3Error) throw error;
      throw new Error(`Cannot ${what} in ${name}: ${causeOf(error)}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
  return async (asked) => {
    for (let tries = 1; ; tries++) {
      try {
        return await askOnce(asked);
      } catch (error) {
        if (tries === TRIES || !mayPass(error)) throw error;
        await setTimeout(PAUSE * 2 ** (tries - 1));
      }
    }
  };
}

function mayPass(error: unknown): boolean {
  return !(error instanceof S3Error) || error.status >= 500 || error.status === 429;
}

/** The reason that `fetch` hides in its cause. */
function causeOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message || String(cause) : message;
}

async function readError(answer: globalThis.Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_ERROR) break;
  }
  return text;
}
