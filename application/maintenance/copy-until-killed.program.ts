/**
 * A child process that copies a database and kills itself with SIGKILL when half of the items are there.
 */
import { openDatabase } from '../database/open-database.ts';
import { copyDatabase } from './copy-database.ts';

const [from = '', to = ''] = process.argv.slice(2);
await copyDatabase(await openDatabase(from), await openDatabase(to), {
  onProgress(table, done, all) {
    if (table === 'items' && done >= all / 2) process.kill(process.pid, 'SIGKILL');
  },
});
