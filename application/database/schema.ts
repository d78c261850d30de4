/**
 * The tables, as Kysely sees them. Times are UTC in ISO 8601 with milliseconds: text that sorts as
 * time does, and reads the same in every engine.
 */
import type { Generated } from 'kysely';

export interface Schema {
  readonly accounts: AccountTable;
  readonly sessions: SessionTable;
  readonly invitations: InvitationTable;
  readonly devices: DeviceTable;
  readonly items: ItemTable;
  readonly item_tags: ItemTagTable;
  readonly item_gaps: ItemGapTable;
  readonly item_words: ItemWordTable;
  readonly receipts: ReceiptTable;
  readonly counters: CounterTable;
  readonly editions: EditionTable;
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
  /** Nobody can log in to a disabled account. */
  disabled_at: Generated<string | null>;
  /** Set for a password that somebody else chose: it works until then, and must be changed. */
  password_expires_at: Generated<string | null>;
}

interface SessionTable {
  /** SHA-256 of the token in the cookie. */
  key: string;
  account_id: number;
  started_at: string;
  seen_at: string;
  /** After this the row is of no use to anybody. */
  ends_at: string;
  /** 0 or 1. */
  remembered: number;
  /** The browser's name for itself and the address, at the log-in. */
  agent: Generated<string>;
  address: Generated<string>;
  /** JSON; empty when there is none. */
  flashes: Generated<string>;
  draft: Generated<string>;
  /** 1 when the session has a new id: the row under the old one only reads, until it ends. */
  superseded: Generated<number>;
}

/** Gone once it was used. */
interface InvitationTable {
  /** SHA-256 of the token in the link. */
  key: string;
  created_at: string;
  /** Null when it was made in the terminal. */
  created_by: number | null;
  ends_at: string;
}

/** A browser that an account has logged in from. */
interface DeviceTable {
  /** SHA-256 of the token in its cookie. */
  key: string;
  account_id: number;
  seen_at: string;
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

/** Numbers that were given to an item and have none any more, counted by the thousand. */
interface ItemGapTable {
  /** 0 for the numbers 1 to 1,000, 1 for 1,001 to 2,000, and so on. */
  block: number;
  gone: number;
}

/** What items are found by: made from them, and made anew rather than copied. */
interface ItemWordTable {
  /** The number of the item. */
  rowid: number;
  words: string;
}

/** Proof that a form was carried out: the same owner, key and digest again lead to the same path. */
interface ReceiptTable {
  /** The account, or 0 for a visitor without one. */
  owner: number;
  once: string;
  digest: string;
  path: string;
  created_at: string;
}

interface CounterTable {
  name: string;
  value: number;
}

/** The database writes it: see migrations/0004-editions.ts. Each database has its own. */
interface EditionTable {
  readonly name: 'items';
  /** Never given before: not even a database that was restored from a backup gives it again. */
  readonly edition: string;
}

interface FailedLogInTable {
  /** `account:<username key>`, `address:<network>` or `device:<key>`. */
  subject: string;
  at: string;
  /** The id of the try while it is under way; empty once it has failed. */
  pending: Generated<string>;
}
