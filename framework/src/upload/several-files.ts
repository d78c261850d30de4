/** What the fields with several files of one form have received. Each is known by its name. */
import { parseFileText } from '../field/file-text.ts';
import type { Entry } from '../http/urlencoded.ts';
import type { AnyFileField } from './receiving-field.ts';

export class SeveralFiles {
  readonly #counts = new Map<string, number>();
  /** Each name with a key that was sent under it. */
  readonly #named = new Set<string>();
  readonly #lost = new Set<Entry>();

  /** Counts a file. One beyond the limit of its field has its name alone, for the error of the field. */
  isBeyond({ control, maxFiles }: AnyFileField, name: string): boolean {
    if (control === 'file') return false;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count > maxFiles;
  }

  /** Whether a parked file was named before. */
  isNamed({ control }: AnyFileField, name: string, key: string | null): boolean {
    if (control === 'file' || key === null) return false;
    const named = `${name} ${key}`;
    if (this.#named.has(named)) return true;
    this.#named.add(named);
    return false;
  }

  /** The same entry: it refers to a file that is not there. */
  lose(entry: Entry): Entry {
    this.#lost.add(entry);
    return entry;
  }

  has({ name }: Entry): boolean {
    return this.#counts.has(name);
  }

  /** Whether a file was chosen again for one that is not there. `chosen` are the names of all of its field. */
  isChosenAgain(entry: Entry, chosen: readonly string[]): boolean {
    if (!this.#lost.has(entry)) return false;
    const toFileName = ({ text }: Entry) => parseFileText(text).name;
    const fileName = toFileName(entry);
    // There may be several of one name: a telephone calls each picture the same.
    const lost = [...this.#lost].filter(
      (one) => one.name === entry.name && toFileName(one) === fileName,
    );
    return lost.indexOf(entry) < chosen.filter((one) => one === fileName).length;
  }
}
