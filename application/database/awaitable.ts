/**
 * Values that may come now or later: SQLite answers a read at once, PostgreSQL does not. What a read
 * makes of its rows goes through `andThen`, so that it waits for nothing where there is nothing to
 * wait for.
 */
export type Awaitable<T> = T | Promise<T>;

/** Applies `change` to a value at once, or when its promise is fulfilled. */
export function andThen<T, U>(
  value: Awaitable<T>,
  change: (value: T) => Awaitable<U>,
): Awaitable<U> {
  return value instanceof Promise ? value.then(change) : change(value);
}
