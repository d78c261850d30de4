/** The values of a form as its record has them: each file is kept in the transaction of the form. */
import { isFile } from '../field/field.ts';
import type { StoredFile } from '../field/file-text.ts';
import type { Fields, FormValues } from '../form/field-set.ts';
import type { LinkedName } from '../form/form-link.ts';
import type { RecordValues } from '../form/form-record.ts';
import type { Request } from '../http/request.ts';
import { requireUploads } from './upload-limits.ts';
import type { UploadedFile } from './uploaded-file.ts';

/** The names of the fields with a file, or with several. */
type FileName<F extends Fields, Control extends 'file' | 'files' = 'file' | 'files'> = {
  [Name in LinkedName<F>]: F[Name] extends { readonly control: Control } ? Name : never;
}[LinkedName<F>];

/** What `send` gets. The form may have more fields than its record. */
interface SentFiles<F extends Fields> {
  readonly request: Request;
  readonly transaction: unknown;
  readonly values: {
    readonly [Name in LinkedName<F>]: Name extends FileName<F, 'file'>
      ? UploadedFile | null
      : FormValues<F>[Name];
  };
}

/** The files of a record that a form changes. */
export interface StoredFiles<F extends Fields> {
  /** The record. */
  readonly stored: {
    readonly [Name in FileName<F>]: Name extends FileName<F, 'file'>
      ? StoredFile | null
      : readonly StoredFile[];
  };
  /** Whether the file of a field is removed, if no other one was chosen; of several, the ids of those that are. */
  readonly remove?: {
    readonly [Name in FileName<F>]?: Name extends FileName<F, 'file'> ? boolean : readonly string[];
  };
}

/**
 * The values for `toColumns`: each file that was chosen is kept, if the transaction commits. A form that changes a
 * record says which files that has: a field without another one keeps its file, and a file that is replaced or removed
 * ends with the transaction. Of several, those that were chosen are added to those of the record. Rejects with a 409
 * for a file that has expired.
 */
export async function keepFiles<F extends Fields>(
  { fields }: { readonly fields: F },
  { request, transaction, values }: SentFiles<F>,
  { stored, remove = {} }: Partial<StoredFiles<F>> = {},
): Promise<RecordValues<F>> {
  const { files } = requireUploads(request, 'keep files');
  const given = values as Readonly<Record<string, unknown>>;
  const before = (stored ?? {}) as Readonly<Record<string, StoredFile | readonly StoredFile[]>>;
  const ended = remove as Readonly<Record<string, boolean | readonly string[]>>;
  const record: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(fields)) {
    if (part.part !== 'field') continue;
    if (!isFile(part)) {
      record[name] = given[name];
      continue;
    }
    const kept: StoredFile[] = [];
    for (const file of chosenIn(given[name]))
      kept.push({ id: await file.keep(transaction), name: file.name });
    const old = [before[name] ?? []].flat();
    const several = Array.isArray(part.default);
    const gone = ended[name] ?? false;
    const isRemoved = ({ id }: StoredFile) =>
      typeof gone === 'object' ? gone.includes(id) : gone || (!several && kept.length > 0);
    for (const one of old) if (isRemoved(one)) await files.remove(one.id, transaction);
    const left = [...old.filter((one) => !isRemoved(one)), ...kept];
    record[name] = several ? left : (left[0] ?? null);
  }
  return record as RecordValues<F>;
}

function chosenIn(value: unknown): readonly UploadedFile[] {
  return [(value as UploadedFile | readonly UploadedFile[] | null) ?? []].flat();
}
