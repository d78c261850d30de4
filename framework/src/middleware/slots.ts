/**
 * Counts the requests that run at once, for several shares: all requests, those of an account, those of a network. A
 * request takes a place in each of its shares, or in none. No place is held for ever: what a bug, a client or another
 * program keeps waiting loses its place after a time.
 */

/** Requests that are counted together, and how many there may be. */
export interface Share {
  readonly key: string;
  readonly max: number;
}

export interface Slot {
  /** Gives the places back. Only the first call counts. */
  readonly release: () => void;
}

/** A share without a free place. */
export interface Full<S extends Share> {
  readonly full: S;
}

export type TakeSlot<S extends Share> = (shares: readonly S[]) => Slot | Full<S>;

/** `timeout` is in milliseconds: then the places are given back. */
export function createSlots<S extends Share>(timeout: number): TakeSlot<S> {
  const taken = new Map<string, number>();

  const add = (shares: readonly S[], change: 1 | -1): void => {
    for (const { key } of shares) {
      const count = (taken.get(key) ?? 0) + change;
      if (count === 0) taken.delete(key);
      else taken.set(key, count);
    }
  };

  return (shares) => {
    const full = shares.find(({ key, max }) => (taken.get(key) ?? 0) >= max);
    if (full !== undefined) return { full };
    add(shares, 1);
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      clearTimeout(timer);
      add(shares, -1);
    };
    const timer = setTimeout(release, timeout);
    // Other hosts return a number.
    (timer as { readonly unref?: () => void }).unref?.();
    return { release };
  };
}
