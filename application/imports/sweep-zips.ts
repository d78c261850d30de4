/** Ends the zips of imports that need them no more: of those that have ended, and of those that are gone. */
import type { KyselyTransaction } from '../database/kysely.ts';
import type { FileBytes } from '../items/files/file-bytes.ts';

export async function sweepZips(
  transaction: KyselyTransaction,
  files: Pick<FileBytes, 'remove'>,
): Promise<void> {
  const rows = await transaction
    .deleteFrom('import_zips')
    .where('import_id', 'not in', (row) =>
      row
        .selectFrom('imports')
        .select('id')
        .where('state', 'in', ['columns', 'checked', 'importing']),
    )
    .returning('file')
    .execute();
  for (const { file } of rows) await files.remove(file, transaction);
}
