/** Tells once that jobs wait in an outbox that this process has not started, and that no other process runs. */

/** Milliseconds. Another process would have taken a job by then. */
const PATIENCE = 10_000;

export interface StartWatch {
  /** A job was added, or there are schedules: looks later whether it still waits. */
  readonly begin: () => void;
  /** The outbox was started or run. */
  readonly end: () => void;
}

/** `waits` resolves to whether a job has been due for so many milliseconds. */
export function watchStart(
  waits: (milliseconds: number) => Promise<boolean>,
  tell: () => void,
): StartWatch {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const look = async () => {
    timer = undefined;
    // While the database is away or closed, there is nothing to say.
    if (isOver || !(await waits(PATIENCE / 2).catch(() => false)) || isOver) return;
    isOver = true;
    tell();
  };
  return {
    begin() {
      if (!isOver) timer ??= setTimeout(look, PATIENCE).unref();
    },
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
