/** A clock that only moves when a test moves it. */
export interface Clock {
  readonly now: () => Date;
  readonly pass: (seconds: number) => void;
}

export function createClock(): Clock {
  let time = Date.parse('2026-11-20T12:00:00.000Z');
  return {
    now: () => new Date(time),
    pass(seconds) {
      time += seconds * 1000;
    },
  };
}
