/** The values of a form as its record has them: each file is kept in the transaction of the form. */
import { isFile } from '../field/field.ts';
import type { StoredFile } from '../field/file-text.ts';
import type { Fields, FormValues } from '../form/field-set.ts';
import type { LinkedName } from '../form/form-link.ts';
import type { RecordValues } from '../form/form-record.ts';
import type { Request } from '../http/request.ts';
import { requireUploads } from './upload-limits.ts';
import type { UploadedFile } from './uploaded-file.ts';

/** The names of the fields with a file. */
type FileName<F extends Fields> = {
  [Name in LinkedName<F>]: F[Name] extends { readonly control: 'file' } ? Name : never;
}[LinkedName<F>];

/** What `send` gets. The form may have more fields than its record. */
interface SentFiles<F extends Fields> {
  readonly request: Request;
  readonly transaction: unknown;
  readonly values: {
    readonly [Name in LinkedName<F>]: Name extends FileName<F>
      ? UploadedFile | null
      : FormValues<F>[Name];
  };
}

/** The files of a record that a form changes. */
export interface StoredFiles<F extends Fields> {
  /** The record. */
  readonly stored: { readonly [Name in FileName<F>]: StoredFile | null };
  /** Whether the file of a field is removed, if no other one was chosen. */
  readonly remove?: { readonly [Name in FileName<F>]?: boolean };
}

/**
 * The values for `toColumns`: each file that was chosen is kept, if the transaction commits. A form that changes a
 * record says which files that has: a field without another one keeps its file, and a file that is replaced or removed
 * ends with the transaction. Rejects with a 409 for a file that has expired.
 */
export async function keepFiles<F extends Fields>(
  { fields }: { readonly fields: F },
  { request, transaction, values }: SentFiles<F>,
  { stored, remove = {} }: Partial<StoredFiles<F>> = {},
): Promise<RecordValues<F>> {
  const { files } = requireUploads(request, 'keep files');
  const given = values as Readonly<Record<string, unknown>>;
  const record: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(fields)) {
    if (part.part !== 'field') continue;
    if (!isFile(part)) {
      record[name] = given[name];
      continue;
    }
    const chosen = given[name] as UploadedFile | null;
    const old = (stored as Readonly<Record<string, StoredFile | null>> | undefined)?.[name] ?? null;
    const isRemoved = (remove as Readonly<Record<string, boolean>>)[name] === true;
    const kept = chosen === null ? null : { id: await chosen.keep(transaction), name: chosen.name };
    if (old !== null && (kept !== null || isRemoved)) await files.remove(old.id, transaction);
    record[name] = kept ?? (isRemoved ? null : old);
  }
  return record as RecordValues<F>;
}
