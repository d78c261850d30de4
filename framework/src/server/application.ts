/** What a server serves, and the answer if it fails: shared by `node:http` and fetch. */
import type { Awaitable } from '../http/awaitable.ts';
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import { type Response, type ResponseHeaders, text } from '../http/response.ts';
import { SECURE_HEADERS } from '../middleware/secure-headers.ts';

/** An object that answers requests; usually a router. */
export interface Application {
  readonly handle: (request: Request) => Awaitable<Response>;
  /** Called before the first request; throws if the application has a configuration error. */
  readonly prepare?: () => unknown;
}

/** A response made without any middleware. */
export function bareAnswer(
  content: string,
  status: number,
  ownHeaders: ResponseHeaders = {},
): Response {
  const { headers, ...answer } = text(content, status);
  return { ...answer, headers: { ...SECURE_HEADERS, ...headers, ...ownHeaders } };
}

const BARE_FAILURE: Response = bareAnswer('Something went wrong on our side.\n', 500);

/** For an error that no middleware caught. A refusal below 500 is the client's doing and is not reported. */
export function answerError(error: unknown, report: (error: unknown) => void): Response {
  const isRefusal = error instanceof HttpError;
  if (!isRefusal || error.status >= 500) report(error);
  return isRefusal ? bareAnswer(`${error.message}\n`, error.status, error.headers) : BARE_FAILURE;
}

/** Where errors go that no middleware caught, unless the host is told otherwise. */
export function reportToConsole(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the only access to standard error that all hosts have
  console.error(error);
}

/** For a host that has read the body of a request before it hands the request over. */
export function bodyIsRead(method: string | undefined, target: string): Error {
  return new Error(
    `Cannot read the body of ${method} ${target}: another part of the host has read it. Mount this application before body parsers such as express.urlencoded().`,
  );
}
