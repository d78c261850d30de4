/**
 * What happens in the process, for metrics and traces: published on node:diagnostics_channel when it has ended, in the
 * async context of the code that waited for it. An event that nobody listens to costs one comparison.
 */
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';

/** All times are in milliseconds. */
export interface Events {
  /**
   * `observe` has seen an answer. `pattern` is that of the route, or null if none matched: it has no text of a client,
   * unlike the method.
   */
  readonly request: {
    readonly method: string;
    readonly pattern: string | null;
    readonly status: number;
    readonly time: number;
  };
  /** The server has answered with 503 without reading the request, because it was overloaded. */
  readonly shed: Readonly<Record<never, never>>;
  /** The body of a request was received. */
  readonly body: { readonly bytes: number };
  /** A form that counts once has run, or was a repeat of one that had. */
  readonly form: { readonly isRepeat: boolean };
  /**
   * A read, or a whole `write`: with its wait for other writes and for the disk. `sql` is null for a write; it has no
   * values.
   */
  readonly query: {
    readonly kind: 'read' | 'slow read' | 'write';
    readonly sql: string | null;
    readonly time: number;
    readonly hasFailed: boolean;
  };
  /**
   * A statement has run: of a read, of a write, or one that begins or ends a transaction. `rows` is the number of those
   * that it has returned.
   */
  readonly statement: { readonly sql: string; readonly rows: number };
  /** On SQLite: writes that were committed together, with their sync. */
  readonly commit: { readonly writes: number; readonly time: number };
  /** On SQLite: what was committed was put on disk. */
  readonly sync: { readonly time: number };
  /** A job of an outbox was tried. */
  readonly job: { readonly name: string; readonly time: number; readonly hasFailed: boolean };
  /** What was passed to `measure`. */
  readonly work: { readonly name: string; readonly time: number; readonly hasFailed: boolean };
}

type EventName = keyof Events;

export interface Publisher<E> {
  /** For callers that would have to measure a time first. */
  readonly isHeard: boolean;
  readonly publish: (event: E) => void;
}

export function createPublisher<N extends EventName>(name: N): Publisher<Events[N]> {
  const its = channel(toChannelName(name));
  return {
    get isHeard() {
      return its.hasSubscribers;
    },
    publish(event) {
      if (its.hasSubscribers) its.publish(event);
    },
  };
}

/** Calls `listener` for each event in this process, at once. Returns what ends that. */
export function onEvent<N extends EventName>(
  name: N,
  listener: (event: Events[N]) => void,
): () => void {
  const listen = (event: unknown) => listener(event as Events[N]);
  subscribe(toChannelName(name), listen);
  return () => void unsubscribe(toChannelName(name), listen);
}

const toChannelName = (name: EventName) => `seeother:${name}`;

/** Runs `work`, and calls `done` with its milliseconds when it has ended. */
export async function timed<T>(
  work: () => Promise<T>,
  done: (time: number, hasFailed: boolean) => void,
): Promise<T> {
  const start = performance.now();
  let hasFailed = true;
  try {
    const value = await work();
    hasFailed = false;
    return value;
  } finally {
    done(performance.now() - start, hasFailed);
  }
}

const works = createPublisher('work');

/** Runs `work`, and publishes how long it took as the event `work`: a part of a site that metrics and traces show. */
export function measure<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (!works.isHeard) return work();
  return timed(work, (time, hasFailed) => works.publish({ name, time, hasFailed }));
}
