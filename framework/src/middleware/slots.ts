/**
 * Counts the requests that run at once, for several shares: all requests, those of an account, those of a
 * network. A request takes a place in each of its shares, or in none. A place may stay taken for a time after
 * the request, which makes the limit a rate.
 */

/** Requests that are counted together, and how many there may be. */
export interface Share {
  readonly key: string;
  readonly max: number;
}

export interface Slot {
  /** Gives the places back, now or after some milliseconds. Only the first call counts. */
  readonly release: (after?: number) => void;
}

/** A share without a free place. */
export interface Full<S extends Share> {
  readonly full: S;
  /** Milliseconds until a place is given back; null if that depends on a request that still runs. */
  readonly wait: number | null;
}

export type TakeSlot<S extends Share> = (shares: readonly S[]) => Slot | Full<S>;

/** A taken place. */
interface Place {
  /** When it is given back; infinite while its request runs. */
  endsAt: number;
}

export function createSlots<S extends Share>(
  now: () => number = () => performance.now(),
): TakeSlot<S> {
  const taken = new Map<string, Set<Place>>();

  function findFull(shares: readonly S[]): Full<S> | null {
    for (const share of shares) {
      const places = [...(taken.get(share.key) ?? [])];
      if (places.length < share.max) continue;
      const first = Math.min(...places.map(({ endsAt }) => endsAt));
      return { full: share, wait: Number.isFinite(first) ? Math.max(0, first - now()) : null };
    }
    return null;
  }

  function giveBack(place: Place, shares: readonly Share[]): void {
    for (const { key } of shares) {
      const places = taken.get(key);
      places?.delete(place);
      if (places?.size === 0) taken.delete(key);
    }
  }

  return (shares) => {
    const full = findFull(shares);
    if (full !== null) return full;
    const place: Place = { endsAt: Number.POSITIVE_INFINITY };
    for (const { key } of shares) {
      const places = taken.get(key);
      if (places === undefined) taken.set(key, new Set([place]));
      else places.add(place);
    }
    let isReleased = false;
    return {
      release(after = 0) {
        if (isReleased) return;
        isReleased = true;
        place.endsAt = now() + after;
        if (after === 0) giveBack(place, shares);
        else setTimeout(giveBack, after, place, shares).unref?.();
      },
    };
  };
}
