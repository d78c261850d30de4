/** A field with a file: `<input type="file">`. Its form is read with `readUpload`. */

import {
  describeField,
  FIELD_KINDS,
  type Field,
  type FieldOptions,
  ok,
  problem,
} from '../form/field.ts';
import {
  COUNT,
  checkOptions,
  LIST,
  needed,
  type OptionKind,
  type OptionKinds,
  SENTENCE,
} from '../http/check-options.ts';
import { StoredFile, type UploadedFile } from './uploaded-file.ts';

export interface FileOptions extends Omit<FieldOptions, 'initial'> {
  /** In bytes. */
  readonly maxSize: number;
  /**
   * What the browser offers, such as `['.csv', 'text/csv']`. It keeps nobody from sending something else:
   * check the content.
   */
  readonly accept?: readonly string[];
  /** The error message when no file was chosen. Without it, the field is optional. */
  readonly required?: string;
}

const SIZE: OptionKind = {
  noun: 'a whole number of bytes',
  accepts: (value) => COUNT.accepts(value) && value !== 0,
};

const { initial: _, ...KINDS } = FIELD_KINDS;
const FILE_KINDS = {
  ...KINDS,
  maxSize: needed(SIZE, '10_000_000'),
  accept: LIST,
  required: SENTENCE,
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
  const attributes = {
    ...(accept.length === 0 ? {} : { accept: accept.join(',') }),
    ...options.attributes,
  };
  return {
    ...describeField({ ...options, attributes }, required !== undefined),
    control: 'file',
    maxSize,
    parse(name, file) {
      // Without a choice, browsers send an empty file without a name.
      if (!(file instanceof StoredFile) || (name === '' && file.size === 0 && !file.isTooLarge))
        return required === undefined ? ok(null) : problem(required);
      if (file.isTooLarge) return problem(`${label} must be ${toSize(maxSize)} or less`);
      if (file.size === 0) return problem(`${label} is empty`);
      return ok(file);
    },
  };
}

export function isFileField(field: Field<unknown> | undefined): field is FileField<unknown> {
  return field?.control === 'file' && 'maxSize' in field;
}

/** `2.5 MB`, in decimal units as file managers show them. */
function toSize(bytes: number): string {
  const [size, unit] =
    bytes < 1_000 ? [bytes, 'bytes'] : bytes < 1e6 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB'];
  return `${size.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
}
