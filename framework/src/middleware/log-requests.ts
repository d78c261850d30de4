/**
 * The request log. A path is text of a client: everything outside printable ASCII is percent-encoded, or a line
 * end in it could forge a second line. Outermost, so that the status is the final one.
 */

import type { Context, Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { traceIdSlot } from '../chain/trace.ts';
import { checkOptions, FLAG, FUNCTION, needed, type OptionKinds } from '../http/check-options.ts';
import { sessionOf } from '../session/session.ts';
import { whenAnswered } from './when-answered.ts';

export interface LogOptions {
  /** Gets one line, without its line end. */
  readonly write: (line: string) => void;
  readonly now?: () => Date;
  /** Adds the line `logged in as <username>` after the request of a logged-in user. */
  readonly users?: boolean;
  /**
   * `line`, the default, or `json`: an object with `time`, `method`, `path`, `status`, the pattern of the `route`,
   * `milliseconds`, with `users` the `user`, and the `traceId` of a request that `observe` traces.
   */
  readonly format?: 'line' | 'json';
}

const LOG_KINDS = {
  write: needed(FUNCTION, 'console.log'),
  now: FUNCTION,
  users: FLAG,
  format: { noun: "'line' or 'json'", accepts: (value) => value === 'line' || value === 'json' },
} satisfies OptionKinds<LogOptions>;

/** Characters of a path in a line. */
const MAX_PATH_LENGTH = 2_048;
const UNSAFE = /[^\x21-\x7e]/gu;
const EXCLAMATION_MARK = 0x21;
const TILDE = 0x7e;

/**
 * Writes one line for each request when its response is known: `[2026-11-20T18:02:11.123Z] [GET] /items
 * 200`. It must be the outermost middleware. Characters that could forge a line are percent-encoded.
 */
export function logRequests(options: LogOptions): Middleware {
  checkOptions('logRequests', options, LOG_KINDS);
  const { write, now, users = false, format = 'line' } = options;
  const clock = createClock(now);
  const writeJson = ({ request, route }: Context, status: number, start: number) => {
    const session = sessionOf(request);
    const traceId = traceIdSlot.of(request);
    const entry = {
      time: clock(),
      method: encode(request.method),
      path: encodePath(request.path),
      status,
      route: route?.pattern ?? null,
      milliseconds: Math.round((performance.now() - start) * 1_000) / 1_000,
      ...(users && session !== null ? { user: encode(session.user.name) } : {}),
      ...(traceId === null ? {} : { traceId }),
    };
    write(JSON.stringify(entry));
  };
  const writeLine = ({ request }: Context, status: number) => {
    write(`[${clock()}] [${encode(request.method)}] ${encodePath(request.path)} ${status}`);
    const session = sessionOf(request);
    if (users && session !== null) write(`logged in as ${encode(session.user.name)}`);
  };
  return describeMiddleware(
    function logRequests(context, next) {
      const start = format === 'json' ? performance.now() : 0;
      const log = format === 'json' ? writeJson : writeLine;
      return whenAnswered(
        () => next(context),
        (status) => log(context, status, start),
      );
    },
    { needs: [], adds: [] },
  );
}

/** The time as text, formatted at most once a millisecond. */
function createClock(now?: () => Date): () => string {
  let last = Number.NaN;
  let text = '';
  return () => {
    const time = now === undefined ? Date.now() : now().getTime();
    if (time !== last) text = new Date(time).toISOString();
    last = time;
    return text;
  };
}

function encodePath(path: string): string {
  return encode(path.slice(0, MAX_PATH_LENGTH)).slice(0, MAX_PATH_LENGTH);
}

function encode(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < EXCLAMATION_MARK || code > TILDE) {
      return text.toWellFormed().replace(UNSAFE, encodeURIComponent);
    }
  }
  return text;
}
