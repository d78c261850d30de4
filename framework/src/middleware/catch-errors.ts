/**
 * The one place that turns errors into responses. A refusal (`HttpError`) becomes a page with its
 * own status; anything else is a bug or a breakdown: a 500 that shows a reference and nothing else,
 * while the error with its stack goes to the log, once, under the same reference.
 *
 * Only what adds to every answer stands outside it: the request log and the secure headers.
 */
import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { HttpError } from '../http/http-error.ts';
import { type Response, text } from '../http/response.ts';

/** What an error page may show. */
export interface Failure {
  readonly status: number;
  /** What happened, in words for the person who sent the request; null when it is our fault. */
  readonly message: string | null;
  /** Whether what was sent may have been saved all the same; nobody knows after an error of ours. */
  readonly mayBeSaved: boolean;
  /** The reference under which the log has the error. */
  readonly id: string;
}

/** A line of the error log; `error` only when it is our fault. */
export interface ErrorReport {
  readonly id: string;
  readonly status: number;
  readonly method: string;
  /** The first 2,048 characters. */
  readonly path: string;
  /** The client's. */
  readonly address: string;
  readonly route: string | null;
  readonly message: string;
  readonly error?: Error;
}

export interface CatchOptions {
  /** Makes the page; when it fails too, the answer is a plain line of text. */
  readonly page: (failure: Failure, context: Context) => Response | Promise<Response>;
  readonly report: (report: ErrorReport) => void;
}

/** As in the request log. */
const LONGEST_PATH = 2_048;

export function catchErrors(options: CatchOptions): Middleware {
  const { page, report } = options;

  const answer = async (thrown: unknown, context: Context): Promise<Response> => {
    const failure = toFailure(thrown);
    report(toReport(thrown, failure, context));
    const headers = thrown instanceof HttpError ? thrown.headers : {};
    try {
      const response = await page(failure, context);
      return { ...response, headers: { ...response.headers, ...headers } };
    } catch (error) {
      report(toReport(error, { ...failure, status: 500 }, context));
      const plain = text(
        `Something went wrong on our side. Reference: ${failure.id}\n`,
        failure.status,
      );
      return { ...plain, headers: { ...plain.headers, ...headers } };
    }
  };

  return describeMiddleware(
    function catchErrors(context, next) {
      try {
        const response = next(context);
        return response instanceof Promise
          ? response.catch((error) => answer(error, context))
          : response;
      } catch (error) {
        return answer(error, context);
      }
    },
    { needs: [], adds: [] },
  );
}

function toFailure(thrown: unknown): Failure {
  const id = randomUUID();
  if (!(thrown instanceof HttpError)) return { status: 500, message: null, mayBeSaved: true, id };
  const { status, message, mayBeSaved } = thrown;
  return { status, message, mayBeSaved, id };
}

function toReport(
  thrown: unknown,
  { id, status }: Failure,
  { request, route }: Context,
): ErrorReport {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const report = {
    id,
    status,
    method: request.method,
    path: request.path.slice(0, LONGEST_PATH),
    address: request.address,
    route: route === null ? null : `${route.method} ${route.pattern}`,
    message: error.message,
  };
  return status >= 500 ? { ...report, error } : report;
}
