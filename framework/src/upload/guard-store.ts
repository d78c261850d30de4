/**
 * A file store with a limit on the time in which it does nothing, so that a form never waits for one that hangs. What
 * fails or hangs is a 503. The time of the client does not count: a store waits for the chunks of a slow one.
 */
import { HttpError } from '../http/http-error.ts';
import { cannotRead, unavailable } from '../http/start-stream.ts';
import type { FileStore } from './file-store.ts';

/** Milliseconds. */
const LIMIT = 30_000;

/** The store has not said what it has done, and may still do it. */
class StoreHangs extends Error {}

export function isHanging(error: unknown): boolean {
  return error instanceof HttpError && error.cause instanceof StoreHangs;
}

export function guardStore(store: FileStore): FileStore {
  return {
    async write(key, chunks) {
      const patience = startPatience();
      async function* watched() {
        patience.pause();
        for await (const chunk of chunks) {
          patience.resume();
          yield chunk;
          patience.pause();
        }
        patience.resume();
      }
      await patience.orLate(store.write(key, watched())).catch(cannotStore);
    },
    async *read(key, range) {
      const iterator = store.read(key, range)[Symbol.asyncIterator]();
      try {
        for (;;) {
          const { done, value } = await startPatience().orLate(iterator.next());
          if (done === true) return;
          yield value;
        }
      } catch (cause) {
        throw cannotRead(cause);
      } finally {
        iterator.return?.().catch(() => {});
      }
    },
    remove: (key) => startPatience().orLate(store.remove(key)),
    async check(isNew) {
      if (store.check === undefined) return;
      await startPatience().orLate(store.check(isNew)).catch(cannotStore);
    },
  };
}

function cannotStore(cause: unknown): never {
  throw unavailable(({ words }) => words.fileNotStored, cause);
}

interface Patience {
  readonly pause: () => void;
  readonly resume: () => void;
  /** The same, unless it takes too long. */
  readonly orLate: <T>(work: Promise<T>) => Promise<T>;
}

function startPatience(): Patience {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const end = () => reject(new StoreHangs(`The file store did nothing for ${LIMIT / 1_000} s.`));
  let timer = setTimeout(end, LIMIT);
  const pause = () => clearTimeout(timer);
  return {
    pause,
    resume() {
      pause();
      timer = setTimeout(end, LIMIT);
    },
    orLate: (work) => Promise.race([work, late]).finally(pause),
  };
}
