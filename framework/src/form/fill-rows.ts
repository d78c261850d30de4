/**
 * Adds the rows of a table to those of a form. Each cell becomes the text of its field, so a wrong one is shown and
 * refused as if it was typed. What has no place is not lost: it stays in the field of the cells. Loaded when a form is
 * filled.
 */
import { isDeepStrictEqual } from 'node:util';
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import { TableError } from '../tables/table-error.ts';
import { type BoundPart, bindForm, findPart } from './bound-part.ts';
import { fillBlank } from './build-texts.ts';
import type { Fields, FilledForm, FormError, FormText, RefusedForm } from './define-form.ts';
import type { AnySet, Rows, TextNode, TextTree } from './field-set.ts';
import { keepTexts, MAX_KEPT } from './page-space.ts';
import type { PasteSource } from './paste-fields.ts';
import { isGiven, pasteOf } from './pasted-parts.ts';
import { type ReadRow, type ReadTable, readPasted } from './read-pasted.ts';
import { bindSent, toEntries } from './sent-fields.ts';
import { validateForm } from './validate-form.ts';

interface Filled<F extends Fields> {
  readonly form: FilledForm<F>;
  readonly validation: RefusedForm<F>;
}

/** `all` are the rows to fill, bound to what was sent. */
export async function fillRows<F extends Fields>(
  form: FilledForm<F>,
  all: readonly BoundPart[],
): Promise<Filled<F>> {
  const filling = new Filling(form);
  for (const one of all) await filling.fill(one);
  return filling.finish();
}

class Filling<F extends Fields> {
  readonly #language: Language;
  readonly #said: string[] = [];
  /** Of the fields that the rows are filled from. */
  readonly #errors: FormError<F>[] = [];
  /** The rows that were added, by their paths. */
  readonly #added = new Map<string, ReadRow>();
  #form: FilledForm<F>;
  #focus = '';
  #isFilled = false;

  constructor(form: FilledForm<F>) {
    this.#form = form;
    this.#language = form.language ?? english;
  }

  async fill(one: BoundPart): Promise<void> {
    const { tables } = this.#language.words;
    const sources = (['file', 'cells'] as const).flatMap((source) => {
      const field = pasteOf(one, source);
      return field !== null && isGiven(field) ? [{ source, field }] : [];
    });
    const cells = pasteOf(one, 'cells') as BoundPart;
    if (sources.length === 0) this.#refuse(cells, tables.nothingToFill);
    for (const { source, field } of sources) {
      try {
        this.#add(one, source, field, await readPasted(one, field, this.#language));
      } catch (error) {
        if (!(error instanceof TableError)) throw error;
        this.#refuse(field, error.message);
      }
    }
  }

  #refuse({ path }: BoundPart, message: string): void {
    this.#errors.push({ field: path as FormError<F>['field'], message });
    if (!this.#isFilled) this.#focus = path;
  }

  #add(one: BoundPart, source: PasteSource, field: BoundPart, table: ReadTable): void {
    const { tables } = this.#language.words;
    const part = one.part as Rows<Fields>;
    const blank = fillBlank(part.row, undefined, this.#language);
    const rows = this.#at(one.path).text as readonly TextTree[];
    // An empty form may have an empty row.
    const typed = rows.filter((row) => !isDeepStrictEqual(row, blank));
    const fitting = table.rows.slice(0, Math.max(part.max - typed.length, 0));
    const whole = [...typed, ...fitting.map(({ texts }) => texts)];
    this.#put(one.path, whole);
    const count = countThatFit(this.#at(one.path)) - typed.length;
    const added = fitting.slice(0, Math.max(count, 0));
    if (added.length === 0) this.#put(one.path, rows);
    else if (added.length < fitting.length)
      this.#put(one.path, whole.slice(0, count + typed.length));
    for (const [at, row] of added.entries())
      this.#added.set(`${one.path}.${typed.length + at}`, row);
    const left = table.rows.slice(added.length);
    this.#put(field.path, source === 'file' || left.length === 0 ? '' : table.rest(left));
    if (added.length > 0) {
      this.#isFilled = true;
      this.#focus = one.path;
      this.#said.push(tables.rowsAdded(added.length), ...table.said);
    }
    if (left.length === 0) return;
    if (source === 'file') this.#said.push(tables.rowsOfFileLeft(left.length));
    else this.#refuse(field, tables.rowsLeft(left.length));
  }

  async finish(): Promise<Filled<F>> {
    const form = this.#form;
    const found = await findErrors(form, this.#language);
    let wrongCells = 0;
    const errors = [...this.#added].flatMap(([path, row]) => {
      const bound = this.#at(path);
      const own = row.problems.map(({ at, message }) => toError<F>(bound, at, message));
      const fields = new Set(own.map(({ field }) => field));
      const others = found.filter(
        ({ field }) => (field === path || field?.startsWith(`${path}.`)) && !fields.has(field),
      );
      const { names } = bound.part as AnySet;
      const cells = row.columns.map((one) => `${path}.${one}.`);
      // The message of a group, or of the row, is about its cells.
      wrongCells += [...own, ...others].filter(({ field }) =>
        cells.some((cell) => cell.startsWith(`${field}.`)),
      ).length;
      const rank = ({ field }: FormError<F>) =>
        names.indexOf(field?.slice(path.length + 1).replace(/\..*/s, '') ?? '');
      return [...own, ...others].toSorted((one, other) => rank(one) - rank(other));
    });
    const [first = '', ...others] = this.#said;
    const { tables } = this.#language.words;
    const said = wrongCells === 0 ? first : `${first}. ${tables.cellsToCheck(wrongCells)}`;
    const all = [...this.#errors, ...errors];
    return {
      form: {
        ...form,
        focus: this.#focus,
        filled: this.#isFilled ? { path: this.#focus, said: [said, ...others] } : null,
      },
      validation: { valid: false, errors: all },
    };
  }

  #at(path: string): BoundPart {
    return findPart(bindForm(this.#form), path) as BoundPart;
  }

  #put(path: string, text: TextNode): void {
    this.#form = { ...this.#form, text: this.#at(path).replace(text) as FormText<F> };
  }
}

/** How many of the rows a page can keep if it draws none of them: see page-space.ts. */
function countThatFit({ parts }: BoundPart): number {
  let length = 0;
  const end = parts.findIndex((row) => {
    length += keepTexts(row).markup.length;
    return length > MAX_KEPT;
  });
  return end === -1 ? parts.length : end;
}

/** What is wrong with the form as it is now. */
async function findErrors<F extends Fields>(
  form: FilledForm<F>,
  language: Language,
): Promise<readonly FormError<F>[]> {
  const entries = toEntries(bindForm(form)).map(([name, text]) => ({ name, text, flaw: null }));
  const whole = bindSent(form.definition, entries, language);
  const validation = await validateForm(form.definition, whole, language);
  return validation.valid ? [] : (validation.errors as readonly FormError<F>[]);
}

function toError<F extends Fields>(
  row: BoundPart,
  at: readonly string[],
  message: string,
): FormError<F> {
  // The choice of a `choiceGroup` is sent under the path of the whole.
  const steps = at.at(-1) === 'choice' ? at.slice(0, -1) : at;
  const field = [row.path, ...steps].join('.') as FormError<F>['field'];
  return { field, message, row: row.label };
}
