/**
 * A refusal from deep inside, where no response can be returned: thrown, and turned into a response
 * by `catchErrors` alone. Expected outcomes (a form that is not valid, no such item) are values and
 * responses instead; bugs are ordinary errors and become a 500.
 */
import type { ResponseHeaders } from './response.ts';

/** The statuses that a refusal may have. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 421 | 429 | 500 | 503;

export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: ErrorStatus;
  /** Headers that the error answer must carry, such as `Retry-After` or `WWW-Authenticate`. */
  readonly headers: ResponseHeaders;
  /** Whether what was sent may have been saved all the same. */
  readonly mayBeSaved: boolean;

  /** `message` is shown to the person who sent the request: plain words, no secrets. */
  constructor(
    status: ErrorStatus,
    message: string,
    options: {
      readonly headers?: ResponseHeaders;
      readonly mayBeSaved?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.status = status;
    this.headers = options.headers ?? {};
    this.mayBeSaved = options.mayBeSaved ?? false;
  }
}
