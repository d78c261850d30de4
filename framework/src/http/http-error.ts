/**
 * A refusal from deep inside the code, where no response can be returned. Only `catchErrors` turns it
 * into a response. Expected outcomes, such as an invalid form, are values and responses; bugs are
 * ordinary errors and become a 500.
 */
import type { ResponseHeaders } from './response.ts';

/** Statuses that a refusal can have. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 421 | 429 | 500 | 503;

/** A refusal: throw it anywhere below `catchErrors`, which answers with its status, message and headers. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: ErrorStatus;
  /** Headers that the error answer must carry, such as `Retry-After` or `WWW-Authenticate`. */
  readonly headers: ResponseHeaders;
  /** Whether the sent data may have been saved despite the error. */
  readonly mayBeSaved: boolean;

  /** What the log says instead of the message, to the person who runs the site; or null. */
  readonly reason: string | null;
  /** False if the code that throws the error counts it instead, because a line for each could flood the log. */
  readonly isReported: boolean;

  /** `message` is shown to the user: plain words, no secrets. */
  constructor(
    status: ErrorStatus,
    message: string,
    options: {
      readonly headers?: ResponseHeaders;
      readonly mayBeSaved?: boolean;
      readonly reason?: string;
      readonly isReported?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.status = status;
    this.headers = options.headers ?? {};
    this.mayBeSaved = options.mayBeSaved ?? false;
    this.reason = options.reason ?? null;
    this.isReported = options.isReported ?? true;
  }
}
