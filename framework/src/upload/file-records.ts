/**
 * What is known of each file, without its bytes. A record is written before the bytes are, and removed after them,
 * so no bytes are left over after a crash. Until the form is carried out, a file is parked: its record expires.
 * Every implementation passes the suite in file-records.contract.ts.
 */

/** What a form has received. */
export interface FileContent {
  readonly type: string;
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

export interface ParkedFile {
  /**
   * The key of the bytes in the file store. A page refers to the parked file by it, so it is a secret of the owner.
   */
  readonly key: string;
  /** The id of a user; null for a visitor. */
  readonly owner: string | null;
  readonly name: string;
}

export type FileRecord = ParkedFile & FileContent;

export interface ExpiredFile {
  /** Of the record. */
  readonly id: string;
  readonly key: string;
  readonly isShared: boolean;
}

export interface KeptFile {
  readonly id: string;
  /** Whether its bytes are those of another key. */
  readonly isShared: boolean;
}

/** How many files there are, and their bytes. */
export interface Amount {
  readonly files: number;
  readonly bytes: number;
}

/** `Transaction` is the type of the write transactions of the store's database. */
export interface FileRecords<Transaction> {
  /** Before its bytes are written. */
  add(file: ParkedFile, expiresAt: Date): Promise<void>;
  /** After its bytes were written: from then on it is found. */
  complete(key: string, content: FileContent): Promise<void>;
  /**
   * The file that a page refers to: one that is parked, or was kept when the form was sent before. Null for an unknown
   * key, an expired file, and the file of another user. A visitor's file is found by every user.
   */
  findParked(key: string, owner: string | null): Promise<FileRecord | null>;
  /** Gives a parked file to its user, and moves its expiry. */
  park(key: string, owner: string | null, expiresAt: Date): Promise<void>;
  /**
   * In the transaction of the form, before it keeps files with these hashes: other transactions that keep one of them
   * wait. With all files of a form at once, two forms cannot wait for each other.
   */
  lock(contents: readonly string[], transaction: Transaction): Promise<void>;
  /**
   * In the transaction of the form: each form that keeps a file gets a record of its own. Null if the file has expired.
   * The bytes of a content are kept once, so if another record has them already, this one shares them, and the file
   * stays parked.
   */
  keep(key: string, transaction: Transaction): Promise<KeptFile | null>;
  /** A kept file, by its id. */
  find(id: string): Promise<FileRecord | null>;
  /** A kept file. Its bytes are removed later, because the transaction may be rolled back. */
  remove(id: string, transaction: Transaction): Promise<void>;
  /** All parked files together, and those of visitors. It reads each, so it is called rarely. */
  parked(): Promise<{ readonly all: Amount; readonly visitors: Amount }>;
  /** From now on the parked file cannot be found or kept. Returns its id, or null if a record keeps it. */
  discard(key: string): Promise<string | null>;
  /**
   * Every file that was discarded, has been removed or has expired at this time. They cannot be found or kept any more,
   * also by a transaction that is running now. Of a shared file, another record needs the bytes.
   */
  takeExpired(now: Date): Promise<readonly ExpiredFile[]>;
  /** Ends one of these records, after its bytes were removed. Another one of the same key may end meanwhile. */
  forget(id: string): Promise<void>;
  /** Whether `begin` was never called. */
  isNew(): Promise<boolean>;
  /** Notes that the file store has its mark, if it has one: from now on it must be there. */
  begin(): Promise<void>;
}
