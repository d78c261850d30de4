/**
 * A value, or a promise of one. If every function of a chain is synchronous, `andThen` creates no
 * promise.
 */
export type Awaitable<T> = T | Promise<T>;

/** Applies `change` to the value now, or when its promise resolves; `recover` takes what the promise rejects with. */
export function andThen<T, U, V = never>(
  value: Awaitable<T>,
  change: (value: T) => Awaitable<U>,
  recover?: (error: unknown) => Awaitable<V>,
): Awaitable<U | V> {
  return value instanceof Promise ? value.then(change, recover) : change(value);
}
