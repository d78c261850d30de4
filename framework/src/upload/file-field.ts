/** A field with a file: `<input type="file">`. Its form is read with `readUpload`. */

import { writeAttributes } from '../form/attributes.ts';
import {
  defineField,
  FIELD_KINDS,
  type Field,
  type FieldOptions,
  ok,
  type Parsed,
  problem,
} from '../form/field.ts';
import {
  COUNT,
  checkOptions,
  LIST,
  needed,
  type OptionKind,
  type OptionKinds,
} from '../http/check-options.ts';
import { html } from '../http/html.ts';
import { StoredFile, type UploadedFile } from './uploaded-file.ts';

export interface FileOptions extends Omit<FieldOptions, 'default'> {
  /** In bytes. */
  readonly maxSize: number;
  /**
   * What the browser offers, such as `['.csv', 'text/csv']`. It keeps nobody from sending something else:
   * check the content.
   */
  readonly accept?: readonly string[];
}

const SIZE: OptionKind = {
  noun: 'a whole number of bytes',
  accepts: (value) => COUNT.accepts(value) && value !== 0,
};

const { default: _, ...KINDS } = FIELD_KINDS;
const FILE_KINDS = {
  ...KINDS,
  maxSize: needed(SIZE, '10_000_000'),
  accept: LIST,
} satisfies OptionKinds<FileOptions>;

/** A `Field` that knows how much of a file to store. */
export interface FileField<T> extends Field<T> {
  readonly control: 'file';
  readonly maxSize: number;
}

/** Without `required`, the value may also be null. An empty file is an error. */
export function fileField(
  options: FileOptions & { readonly required: string },
): FileField<UploadedFile>;
export function fileField(options: FileOptions): FileField<UploadedFile | null>;
export function fileField(options: FileOptions): FileField<UploadedFile | null> {
  checkOptions('fileField', options, FILE_KINDS);
  const { label, maxSize, accept = [], required } = options;
  const field = defineField(
    { ...options, required: undefined },
    {
      control: 'file',
      draw: ({ name, attributes }) =>
        html`<input${writeAttributes({ type: 'file', id: name, name, ...attributes })}>`,
      attributes: accept.length === 0 ? {} : { accept: accept.join(',') },
      normalize: (name) => name,
      parse(name, { file }): Parsed<UploadedFile | null> {
        // Without a choice, browsers send an empty file without a name.
        if (!(file instanceof StoredFile) || (name === '' && file.size === 0 && !file.isTooLarge))
          return required === undefined ? ok(null) : problem(required);
        if (file.isTooLarge) return problem(`${label} must be ${toSize(maxSize)} or less`);
        if (file.size === 0) return problem(`${label} is empty`);
        return ok(file);
      },
    },
  );
  return { ...field, control: 'file', required: required !== undefined, maxSize };
}

export function isFileField(field: unknown): field is FileField<unknown> {
  return (
    (field as Partial<FileField<unknown>> | null)?.control === 'file' &&
    'maxSize' in (field as object)
  );
}

/** `2.5 MB`, in decimal units as file managers show them. */
function toSize(bytes: number): string {
  const [size, unit] =
    bytes < 1_000 ? [bytes, 'bytes'] : bytes < 1e6 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB'];
  return `${size.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
}
