/**
 * What rows are filled from: a field of pasted cells, and one of a file with a table. In the tree of a form they stand
 * beside their rows, under names that no other field can have. So drafts, error pages and steps keep them as any other
 * field. They have no value, and a form with something in them is not carried out.
 */
import { writeAttributes } from '../field/attributes.ts';
import { type AnyField, defineField, type Field, problem } from '../field/field.ts';
import { html } from '../http/html.ts';

/** Of `rows`: the further headings of each column by the path of its field, and the field of a file. */
export interface Paste {
  readonly headings: Readonly<Record<string, readonly string[]>>;
  readonly file: AnyField | null;
}

export type PasteSource = 'cells' | 'file';

/** The name of the field beside the rows with this name. */
export function pasteName(rows: string | number, source: PasteSource): string {
  return `_${source}_${rows}`;
}

export function isPasteName(name: string | number): boolean {
  return typeof name === 'string' && name.startsWith('_');
}

/** Characters. Some thousand rows of some columns. */
const MAX_LENGTH = 300_000;

const cells: Field<null> = {
  ...defineField<null>(
    { label: 'Cells' },
    {
      control: 'cells',
      limits: { maxLength: MAX_LENGTH },
      empty: null,
      draw({ name, text, attributes }) {
        const own = { id: name, name, rows: '4', wrap: 'off', autocomplete: 'off' };
        // A browser drops the first line end of a text area.
        return html`<textarea${writeAttributes({ ...own, ...attributes })}>\n${text}</textarea>`;
      },
      normalize: (typed) => (typed.trim() === '' ? '' : typed),
      parse: (typed, { language: { words } }) =>
        problem(
          typed.length > MAX_LENGTH
            ? words.tooLong(words.tables.cells, MAX_LENGTH)
            : words.tables.notFilled,
        ),
    },
  ),
  labelIn: (words) => words.tables.cells,
};

/** The fields beside the rows with this name. */
export function pasteFields(
  name: string,
  { file }: Paste,
): readonly (readonly [string, AnyField])[] {
  return file === null
    ? [[pasteName(name, 'cells'), cells]]
    : [
        [pasteName(name, 'cells'), cells],
        [pasteName(name, 'file'), file],
      ];
}
