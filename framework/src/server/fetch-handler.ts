/**
 * Turns an application into a function from a fetch `Request` to a fetch `Response`, for hosts that
 * serve such functions: Bun, Deno, Hono and others.
 *
 * The host has already parsed the URL: it has resolved `..` in the path, and joined or dropped repeated
 * headers. The host is also responsible for what `serve` of `seeother/node` checks and limits:
 * ambiguous messages (RFC 9112), slow clients, connections, body memory, graceful shutdown.
 */
import { checkOptions, FUNCTION, OBJECT, type OptionKinds } from '../http/check-options.ts';
import { createRequest, type RequestHeaders } from '../http/request.ts';
import { type Response as Answer, closeStream, isStream } from '../http/response.ts';
import { type Application, answerError, bodyIsRead, reportToConsole } from './application.ts';
import { addressOf, plainAddress, schemeOf, TRUST_NO_PROXY, type Trust } from './forwarded.ts';

export interface FetchHandlerOptions<Host extends readonly unknown[]> {
  /**
   * Returns the client's IP address from the further arguments that the host passes. Without it every
   * client has the address `0.0.0.0`, so limits per address apply to all clients together.
   */
  readonly address?: (request: Request, ...host: Host) => string | undefined;
  /** The proxies in front of the host; none by default. */
  readonly trust?: Trust;
  /**
   * Called with errors that no middleware caught, without an `HttpError` below 500; by default they go to
   * standard error.
   */
  readonly report?: (error: unknown) => void;
}

const FETCH_KINDS = {
  address: FUNCTION,
  trust: OBJECT,
  report: FUNCTION,
} satisfies OptionKinds<FetchHandlerOptions<readonly unknown[]>>;

/**
 * A function from `Request` to `Response`, for Bun, Deno and other hosts. Throws if the application has a
 * configuration error, such as unreachable routes.
 */
export function toFetchHandler<Host extends readonly unknown[] = readonly unknown[]>(
  application: Application,
  options: FetchHandlerOptions<Host> = {},
): (request: Request, ...host: Host) => Promise<Response> {
  checkOptions('toFetchHandler', options, FETCH_KINDS);
  const { address, trust = TRUST_NO_PROXY, report = reportToConsole } = options;
  application.prepare?.();
  return async (request, ...host) => {
    const url = new URL(request.url);
    const client = plainAddress(address?.(request, ...host) ?? '0.0.0.0');
    const scheme = url.protocol === 'https:' ? 'https' : 'http';
    const peer = { address: client, isProxy: trust.isProxy(client), scheme } as const;
    const headers: RequestHeaders = { host: url.host, ...Object.fromEntries(request.headers) };
    const target = url.pathname + url.search;
    try {
      if (request.bodyUsed) throw bodyIsRead(request.method, target);
      const answer = await application.handle(
        createRequest({
          method: request.method,
          target,
          headers,
          body: request.body,
          scheme: schemeOf(headers, peer, trust),
          address: addressOf(headers, peer, trust),
        }),
      );
      return toFetchResponse(answer, request.method);
    } catch (error) {
      return toFetchResponse(answerError(error, report), request.method);
    }
  };
}

function toFetchResponse(answer: Answer, method: string): Response {
  const { status, headers, body } = answer;
  const fields = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const one of typeof value === 'string' ? [value] : value) fields.append(name, one);
  const isBodiless = method === 'HEAD' || status === 204 || status === 304;
  if (isBodiless) closeStream(answer);
  return new Response(isBodiless ? null : toBody(body), { status, headers: fields });
}

function toBody(
  body: Answer['body'],
): string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null {
  if (body === null || typeof body === 'string') return body;
  return isStream(body) ? toStream(body) : new Uint8Array(body);
}

/** Reads no faster than the client. */
function toStream(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}
