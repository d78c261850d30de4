/**
 * The store of receipts. A receipt records that a form was carried out, and the path that its
 * response redirected to. It is written in the same transaction as the changes that the form made.
 * Every implementation passes the suite in receipt-store.contract.ts.
 */
import type { Awaitable } from '../http/awaitable.ts';

/** Characters of an answer that a receipt holds in place of the path, for posts of programs. */
export const MAX_ANSWER = 65_536;

/** What identifies a form that was sent. Two forms with equal keys are the same form. */
export interface ReceiptKey {
  /**
   * The id of the user who sent it; 0 for a visitor without a session. A store may convert it to
   * text, because the ids of an application are all numbers or all strings.
   */
  readonly owner: string | number;
  /** The idempotency key in the form. */
  readonly once: string;
  /** Made of the path and what was sent, with SHA-256; see form-digest.ts. */
  readonly digest: string;
}

/**
 * The receipts of carried out forms, for `onlyOnce`. `Transaction` is the type of the write transactions of
 * the store's database.
 */
export interface ReceiptStore<Transaction> {
  /** The path in the receipt; null without a receipt. */
  find(key: ReceiptKey): Awaitable<string | null>;
  /**
   * Runs the work in a transaction and writes a receipt with the path that it resolves to in the
   * same transaction. If there is a receipt already, it returns its path and does not run the work.
   * With the key null, it runs the work and writes no receipt. When the work rejects, it rolls
   * back.
   */
  carryOut(
    key: ReceiptKey | null,
    work: (transaction: Transaction) => Promise<string>,
  ): Promise<string>;
}
