/**
 * Ends the files that nobody can bring back any more: their rows, and their bytes in the store. What ends them marks
 * them: the end of the bin (maintenance/remove-expired.ts), or an administrator.
 */
import type { KyselyTransaction } from '../../database/kysely.ts';
import type { FileBytes } from './file-bytes.ts';

/** Rows in one transaction. The next sweep goes on. */
const MAX_SWEPT = 200;

export async function sweepFiles(
  transaction: KyselyTransaction,
  files: Pick<FileBytes, 'remove'>,
): Promise<void> {
  const rows = await transaction
    .deleteFrom('item_files')
    .where('id', 'in', (row) =>
      row.selectFrom('item_files').select('id').where('removed_at', '=', '').limit(MAX_SWEPT),
    )
    .returning(['file', 'original', 'page_file', 'list_file'])
    .execute();
  for (const row of rows)
    for (const id of Object.values(row)) if (id !== null) await files.remove(id, transaction);
}
