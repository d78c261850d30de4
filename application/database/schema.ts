/**
 * The tables, as Kysely sees them. Times are UTC in ISO 8601 with milliseconds: text that sorts as
 * time does, and reads the same in every engine.
 */
export interface Schema {
  readonly accounts: AccountTable;
  readonly sessions: SessionTable;
  readonly items: ItemTable;
  readonly item_tags: ItemTagTable;
  readonly receipts: ReceiptTable;
  readonly counters: CounterTable;
  readonly failed_log_ins: FailedLogInTable;
}

interface AccountTable {
  id: number;
  username: string;
  /** The username in lower case: two names that differ in case alone are one. */
  username_key: string;
  /** A PHC string: algorithm, parameters, salt and hash. */
  password_hash: string;
  created_at: string;
}

interface SessionTable {
  /** SHA-256 of the token in the cookie. */
  key: string;
  account_id: number;
  started_at: string;
  seen_at: string;
  /** 0 or 1. */
  remembered: number;
}

interface ItemTable {
  number: number;
  name: string;
  description: string;
  quantity: number;
  location: string;
  created_at: string;
  created_by: number | null;
  updated_at: string;
  updated_by: number | null;
  version: number;
}

interface ItemTagTable {
  item_number: number;
  /** The tag's place in the list, from 0. */
  position: number;
  tag: string;
}

/** Proof that a form was carried out: the same account, key and digest again get the same result. */
interface ReceiptTable {
  account_id: number;
  once: string;
  digest: string;
  result: string;
  created_at: string;
}

interface CounterTable {
  name: string;
  value: number;
}

interface FailedLogInTable {
  /** `account:<username key>` or `address:<IP address>`. */
  subject: string;
  at: string;
}
