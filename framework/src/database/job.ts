/** What the functions of an outbox are told, and what makes one of them run at set times. */

/** What a job is told besides its payload. */
export interface Attempt {
  /**
   * The same at each attempt, and different for each job: pass it on as `Message-ID` or `Idempotency-Key`, so that the
   * other side counts a repetition once.
   */
  readonly key: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborts when the attempt has taken too long. It has failed then, whatever the function does. */
  readonly signal: AbortSignal;
}

/** When a job runs by itself. */
export interface Schedule {
  /** Cron pattern and time zone. If it differs from the stored one, the next time is found anew. */
  readonly times: string;
  readonly catchUp: boolean;
  /** The first time after `instant`, both in milliseconds. */
  readonly nextAfter: (instant: number) => number;
}

/** A job that `every` has made: an outbox runs it at its times. */
export interface ScheduledJob {
  /** `at` is the time of the run: the first one since which none has succeeded. */
  (at: Date, attempt: Attempt): Promise<unknown>;
  readonly schedule: Schedule;
}
