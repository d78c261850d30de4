/**
 * The text of a file in a form, as a hidden field of the page carries it: the key of the parked file, its size and its
 * name. Only the key counts. Size and name are shown, so that no page looks up its files. A file that is not parked
 * has its name alone.
 */

export interface FileText {
  /** Null if the page has no file to refer to. */
  readonly key: string | null;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** A kept file as a record has it: see `keepFiles`. */
export interface StoredFile {
  /** What `keep` has returned, for `sendFile`. */
  readonly id: string;
  /** As the browser has sent it. */
  readonly name: string;
}

export function toFileText({ key, size, name }: FileText): string {
  return key === null ? name : `${key} ${size} ${name}`;
}

export function parseFileText(text: string): FileText {
  const [, key, size, name] = /^([0-9a-f]{64}) (\d{1,15}) (.*)$/s.exec(text) ?? [];
  return key === undefined || name === undefined
    ? { key: null, name: text, size: 0 }
    : { key, name, size: Number(size) };
}
