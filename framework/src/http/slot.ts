/**
 * What the framework notes on a request for the log and the error pages: they run outside the middleware that adds it,
 * and so do not see it on the context. Each slot stands in the room that knows what it means.
 *
 * The values are in one array of the request. A WeakMap per slot would take 3 µs of a request, this takes 60 ns.
 */
let count = 0;

/** The request, or what stands for it in a test. */
interface Noted {
  readonly slots: unknown[];
}

/** The values of a new request. */
export function createSlots(): unknown[] {
  return new Array(count);
}

/** One value of each request. It is `initial` until it is set. */
export class Slot<T> {
  readonly #index = count++;
  readonly #initial: T;

  constructor(initial: T) {
    this.#initial = initial;
  }

  of({ slots }: Noted): T {
    const value = slots[this.#index];
    return value === undefined ? this.#initial : (value as T);
  }

  set({ slots }: Noted, value: T): void {
    slots[this.#index] = value;
  }
}
