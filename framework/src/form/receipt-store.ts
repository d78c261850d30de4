/**
 * Where receipts are kept: proof that a form was carried out, and where it led. A receipt is written
 * in the transaction of what the form did, so that either both are there or neither is. Every
 * implementation passes the suite in receipt-store.contract.ts.
 */
import type { Awaitable } from '../http/awaitable.ts';

/** What makes two forms the same one. */
export interface ReceiptKey {
  /**
   * The id of the user who sent it; 0 for a visitor without a session. A store may keep it as text, since
   * the ids of an application are all numbers or all texts.
   */
  readonly owner: string | number;
  /** The random key that the form carried. */
  readonly once: string;
  /** SHA-256 of its path and its fields, in hexadecimal. */
  readonly digest: string;
}

/** `Transaction` is what the store's database hands to work that writes. */
export interface ReceiptStore<Transaction> {
  /** The path that the form led to, or null when it was not carried out. */
  find(key: ReceiptKey): Awaitable<string | null>;
  /**
   * Runs the work in a transaction and keeps the path it resolves to, under the key, in the same
   * transaction. Work whose receipt is there already is not run: the path of the earlier one is the
   * result. Without a key it runs and leaves no receipt. When the work rejects, nothing is kept.
   */
  carryOut(
    key: ReceiptKey | null,
    work: (transaction: Transaction) => Promise<string>,
  ): Promise<string>;
}
