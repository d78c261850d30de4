/**
 * Values that may come now or later. The chain stays synchronous as long as everything in it is:
 * no promise is made for a handler that answers at once.
 */
export type Awaitable<T> = T | Promise<T>;

/** Applies `change` to a value at once, or when its promise is fulfilled. */
export function andThen<T, U>(
  value: Awaitable<T>,
  change: (value: T) => Awaitable<U>,
): Awaitable<U> {
  return value instanceof Promise ? value.then(change) : change(value);
}
