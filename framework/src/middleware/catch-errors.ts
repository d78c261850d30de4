/**
 * The only place that turns errors into responses. The log gets an unexpected error and its stack once, under
 * the reference that the page shows. What stands before it must handle every response and not throw.
 */

import { answersJson } from '../chain/answers-json.ts';
import type { Context, Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { traceIdSlot } from '../chain/trace.ts';
import { checkOptions, FUNCTION, type OptionKinds } from '../http/check-options.ts';
import { errorSlot, HttpError } from '../http/http-error.ts';
import { JsonRefused, problem } from '../http/json.ts';
import { languageOf } from '../http/request-language.ts';
import { type Response, text } from '../http/response.ts';
import { type ErrorReport, writeError } from './error-report.ts';
import { type Failure, toFailure } from './failure.ts';
import { createDigest, tellMore } from './tally.ts';

export interface CatchOptions {
  /**
   * Renders the page; by default a line of plain text. If it fails too, the response is one line of plain
   * text.
   */
  readonly page: (failure: Failure, context: Context) => Response | Promise<Response>;
  /** By default to standard error. */
  readonly report: (report: ErrorReport) => void;
}

const CATCH_KINDS = { page: FUNCTION, report: FUNCTION } satisfies OptionKinds<CatchOptions>;

/**
 * Any client can cause thousands of these refusals, and puts text of its own into their lines. So the log has the
 * first and the last within five seconds, and the number of the others.
 */
const COUNTED = [400, 421];
/** Characters, as in the request log. */
const MAX_PATH_LENGTH = 2_048;

/**
 * Turns an `HttpError` into a page with its status, and every other error into a 500 whose page shows only
 * a reference. Only `logRequests` and `secureHeaders` belong before it.
 */
export function catchErrors(options: Partial<CatchOptions> = {}): Middleware {
  checkOptions('catchErrors', options, CATCH_KINDS);
  const { page = showPlain, report = writeError } = options;
  const digests = new Map(
    COUNTED.map((status) => [
      status,
      createDigest((entry: ErrorReport, more) =>
        report({ ...entry, message: tellMore(entry.message, more, `answered with ${status}`) }),
      ),
    ]),
  );
  /** Returns whether the entry has a line of its own. */
  const log = (entry: ErrorReport): boolean => {
    const count = digests.get(entry.status);
    if (count !== undefined) return count(entry);
    report(entry);
    return true;
  };

  const answer = async (thrown: unknown, context: Context): Promise<Response> => {
    const found = toFailure(thrown, context);
    errorSlot.set(context.request, thrown);
    const isCounted = thrown instanceof HttpError && !thrown.isReported;
    const hasLine = !isCounted && log(toReport(thrown, found, context));
    const failure = { ...found, isInLog: found.isInLog && hasLine };
    const headers = thrown instanceof HttpError ? thrown.headers : {};
    try {
      const response = answersJson(context)
        ? toProblem(thrown, failure, context)
        : await page(failure, context);
      return { ...response, headers: { ...response.headers, ...headers } };
    } catch (error) {
      report(toReport(error, { ...failure, status: 500 }, context));
      const plain = showPlain({ ...failure, message: null }, context);
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

/** For a program, in place of the page. */
function toProblem(
  thrown: unknown,
  { status, message, id, isInLog }: Failure,
  { request }: Context,
): Response {
  return problem({
    status,
    detail: message ?? languageOf(request).words.titles.other,
    ...(isInLog ? { instance: `urn:uuid:${id}` } : {}),
    ...(thrown instanceof JsonRefused && thrown.errors.length > 0 ? { errors: thrown.errors } : {}),
  });
}

function showPlain({ status, message, id }: Failure, { request }: Context): Response {
  const { words } = languageOf(request);
  return text(`${message ?? `${words.titles.other}. ${words.reference} ${id}`}\n`, status);
}

function toReport(
  thrown: unknown,
  { id, status }: Failure,
  { request, route }: Context,
): ErrorReport {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const traceId = traceIdSlot.of(request);
  const report = {
    id,
    status,
    method: request.method,
    path: request.path.slice(0, MAX_PATH_LENGTH),
    address: request.address,
    route: route === null ? null : `${route.method} ${route.pattern}`,
    message: (error instanceof HttpError ? error.reason : null) ?? error.message,
    ...(traceId === null ? {} : { traceId }),
  };
  return status >= 500 ? { ...report, error } : report;
}
