/** What a server serves, and the answer when it fails: the same for `node:http` and for fetch. */
import type { Awaitable } from '../http/awaitable.ts';
import type { Request } from '../http/request.ts';
import { type Response, text } from '../http/response.ts';
import { SECURE_HEADERS } from '../middleware/secure-headers.ts';

/** Anything that answers requests; usually a router. */
export interface Application {
  readonly handle: (request: Request) => Awaitable<Response>;
  /** Called before the first request; what is wrong with the application shows here. */
  readonly prepare?: () => unknown;
}

/** An answer that no middleware has seen. */
export function bareAnswer(content: string, status: number): Response {
  const { headers, ...answer } = text(content, status);
  return { ...answer, headers: { ...SECURE_HEADERS, ...headers } };
}

export const BARE_FAILURE = bareAnswer('Something went wrong on our side.\n', 500);
