/**
 * What was sent, as a tree like that of the definition. Submitted names are keys of a Map, never of an object, so a
 * name such as `__proto__` does no harm.
 */
import type { Entry } from '../http/urlencoded.ts';

/** What was sent for one part: its own entries, and those of the parts within it. */
export class SentTree {
  readonly entries: Entry[] = [];
  /** By name; of rows by index. Null if there are none. */
  parts: Map<string, SentTree> | null = null;
  #rows: readonly SentTree[] | null = null;

  get(name: string): SentTree {
    return this.parts?.get(name) ?? NOTHING;
  }

  add(name: string): SentTree {
    this.parts ??= new Map();
    const known = this.parts.get(name);
    if (known !== undefined) return known;
    const added = new SentTree();
    this.parts.set(name, added);
    this.#rows = null;
    return added;
  }

  /** Of rows: one for each, in the order of their indexes. */
  get rows(): readonly SentTree[] {
    if (this.parts === null) return [];
    this.#rows ??= [...this.parts]
      .sort(([one], [other]) => Number(one) - Number(other))
      .map(([, row]) => row);
    return this.#rows;
  }

  /** All texts as they were sent, also those of the inputs of a field. */
  get texts(): readonly string[] {
    const inputs = this.parts === null ? [] : [...this.parts.values()];
    return [this, ...inputs].flatMap(({ entries }) => entries.map(({ text }) => text));
  }

  /** The first text that was sent; empty if there is none. */
  get text(): string {
    const first = this.entries[0];
    return first === undefined ? '' : toLines(first.text);
  }
}

/** What was sent for a part that was not. */
export const NOTHING: SentTree = new SentTree();

/** Line ends of browsers as LF. */
export function toLines(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
}
