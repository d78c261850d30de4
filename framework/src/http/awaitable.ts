/**
 * A value, or a promise of one. If every function of a chain is synchronous, `andThen` creates no
 * promise.
 */
export type Awaitable<T> = T | Promise<T>;

/** Applies `change` to the value now, or when its promise resolves. */
export function andThen<T, U>(
  value: Awaitable<T>,
  change: (value: T) => Awaitable<U>,
): Awaitable<U> {
  return value instanceof Promise ? value.then(change) : change(value);
}
