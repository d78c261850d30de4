/**
 * The store of values that outlive a request and belong to no session, such as the answers of a wizard. A value is
 * JSON. After its expiry it is as if it had never been stored, whether or not it was removed already.
 * Every implementation passes the suite in value-store.contract.ts.
 */

/** `Transaction` is the type of the write transactions of the store's database. */
export interface ValueStore<Transaction> {
  /**
   * Null if there is none, or if it has expired. In a transaction, no other one changes the value before the end of
   * this one.
   */
  find(key: string, transaction?: Transaction): Promise<unknown>;
  /** Replaces the value under this key. With `expiresAt` null, it does not expire. */
  put(
    key: string,
    value: NonNullable<unknown>,
    expiresAt: Date | null,
    transaction?: Transaction,
  ): Promise<void>;
  remove(key: string, transaction?: Transaction): Promise<void>;
}
