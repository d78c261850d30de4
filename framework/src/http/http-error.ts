/**
 * A refusal from deep inside the code, where no response can be returned. Only `catchErrors` turns it
 * into a response. Expected outcomes, such as an invalid form, are values and responses; bugs are
 * ordinary errors and become a 500.
 */

import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import type { ResponseHeaders } from './response.ts';
import { Slot } from './slot.ts';

/** Statuses that a refusal can have. */
export type ErrorStatus =
  | 400
  | 401
  | 403
  | 404
  | 408
  | 409
  | 413
  | 415
  | 421
  | 422
  | 429
  | 500
  | 503;

type Text = string | ((language: Language) => string);

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
  readonly #text: Text;

  /**
   * `text` is shown to the user: plain words, no secrets. A function writes it in the language of the page; the log
   * has it in English.
   */
  constructor(
    status: ErrorStatus,
    text: Text,
    options: {
      readonly headers?: ResponseHeaders;
      readonly mayBeSaved?: boolean;
      readonly reason?: string | null;
      readonly isReported?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    const message = typeof text === 'string' ? text : text(english);
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.#text = text;
    this.status = status;
    this.headers = options.headers ?? {};
    this.mayBeSaved = options.mayBeSaved ?? false;
    this.reason = options.reason ?? null;
    this.isReported = options.isReported ?? true;
  }

  /** The message in another language. */
  messageIn(language: Language): string {
    return typeof this.#text === 'string' ? language.translate(this.#text) : this.#text(language);
  }
}

/** What `catchErrors` has turned into a page; undefined without an error. */
export const errorSlot: Slot<unknown> = new Slot(undefined);
