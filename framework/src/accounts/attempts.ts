/**
 * Checks what somebody proves or asks for, after the throttle and the queue of hashes. An attempt is stored as pending
 * only when it leaves the queue, so a process has at most two pending log-ins.
 *
 * It runs the same queries whether the account or the device is known, so timing reveals neither. What it is given to
 * check has to do so too: look up the account, and verify a password with null if there is none.
 */
import { toNetworks } from '../http/client-network.ts';
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import { busy, type QueueHash } from './hash-queue.ts';
import type { Attempt, AttemptKind, Throttle } from './throttle.ts';

/** What an attempt is at. */
export interface Attempted extends Pick<Attempt, 'kind' | 'account' | 'device'> {
  readonly request: Request;
}

export interface Attempts {
  /**
   * Resolves to what `check` returns; null of it is a failure, which counts. An attempt whose check throws does not
   * count. Rejects with a 429 and `Retry-After` when throttled, or a 503 when too many are checked. A `log-in` hashes a
   * password, so it waits in the queue.
   */
  readonly check: <T>(attempted: Attempted, check: () => Promise<T | null>) => Promise<T | null>;
  /** Counts a request for a mail, whatever comes of it. Rejects with a 429 and `Retry-After` after too many. */
  readonly count: (attempted: Attempted) => Promise<void>;
}

export interface AttemptsOptions {
  readonly throttle: Pick<Throttle, 'secondsToWait' | 'begin' | 'end'>;
  readonly queue: QueueHash;
  /** For the security log: an attempt has failed, or was throttled. The answer waits for it. */
  readonly report?: (event: 'failed' | 'throttled', attempted: Attempted) => Promise<void> | void;
}

/** `queue` is the one of all hashes of the site. */
export function createAttempts(options: AttemptsOptions): Attempts {
  const { throttle, queue, report = () => {} } = options;

  async function refuse(attempted: Attempted, seconds: number): Promise<never> {
    await report('throttled', attempted);
    throw tooMany(attempted.kind, seconds);
  }

  async function begin(attempted: Attempted, attempt: Attempt): Promise<string> {
    const begun = await throttle.begin(attempt);
    if (begun.kind === 'wait') return refuse(attempted, begun.seconds);
    if (begun.kind === 'busy') throw busy();
    return begun.id;
  }

  return {
    async check(attempted, check) {
      const attempt = toAttempt(attempted);
      // Checked first, so that a refused attempt does not enter the queue.
      const seconds = await throttle.secondsToWait(attempt);
      if (seconds > 0) return refuse(attempted, seconds);
      const run = async () => {
        const id = await begin(attempted, attempt);
        let hasFailed = false;
        try {
          const checked = await check();
          hasFailed = checked === null;
          return checked;
        } finally {
          await throttle.end(attempt, id, hasFailed);
        }
      };
      const origin = attempt.device === null ? 'unknown device' : 'known device';
      const checked = await (attempt.kind === 'log-in' ? queue(origin, run) : run());
      if (checked === null) await report('failed', attempted);
      return checked;
    },
    async count(attempted) {
      const attempt = toAttempt(attempted);
      const seconds = await throttle.secondsToWait(attempt);
      if (seconds > 0) return refuse(attempted, seconds);
      await throttle.end(attempt, await begin(attempted, attempt), true);
    },
  };
}

function toAttempt({ kind, account, device, request }: Attempted): Attempt {
  return { kind, account, device, networks: toNetworks(request.address) };
}

function tooMany(kind: AttemptKind, seconds: number): HttpError {
  return new HttpError(
    429,
    ({ words, formatDuration }) =>
      `${words.passwords.tooMany[kind]} ${words.tryAgainIn(formatDuration(seconds))}`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}
