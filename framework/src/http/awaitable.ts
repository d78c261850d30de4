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
  if (value instanceof Promise) return value.then(change, recover);
  return isThenable(value) ? Promise.resolve(value).then(change, recover) : change(value);
}

/** Also promises of another class, such as those of query builders. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
}
