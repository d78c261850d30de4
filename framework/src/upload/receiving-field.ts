/** The fields that receive files: what `fileField` and `filesField` add to a field. */
import type { AnyField, ColumnValue, Field, Given } from '../field/field.ts';
import type { StoredFile } from '../field/file-text.ts';
import { type AnySet, sumParts } from '../form/field-set.ts';
import type { UploadedFile } from './uploaded-file.ts';

/** What files of a field to store. */
interface Receiving {
  readonly maxSize: number;
  /** Null if the browser is trusted. */
  readonly types: readonly string[] | null;
  readonly maxFiles: number;
}

/** A `Field` that knows which files to store. A record has a `StoredFile` for it: see `keepFiles`. */
export interface FileField<T> extends Field<T>, Receiving {
  toText(value: T | StoredFile | null, given?: Given): string;
  toColumn(value: T | StoredFile | null): ColumnValue;
  readonly control: 'file';
}

/** The same for several files. */
export interface FilesField extends Field<readonly UploadedFile[], readonly string[]>, Receiving {
  toText(value: readonly (UploadedFile | StoredFile)[], given?: Given): readonly string[];
  toColumn(value: readonly (UploadedFile | StoredFile)[]): ColumnValue;
  readonly control: 'files';
}

export type AnyFileField = FileField<unknown> | FilesField;

export function isFileField(field: AnyField): field is AnyFileField {
  return 'maxSize' in field;
}

/** How many files of a form its fields of several take. */
export function countFiles(definition: AnySet): number {
  return sumParts(definition, (part) =>
    part.part === 'field' && isFileField(part) && part.control === 'files' ? part.maxFiles : 0,
  );
}
