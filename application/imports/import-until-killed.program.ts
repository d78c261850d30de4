/** A child process that runs an import, and kills itself with SIGKILL in the middle of a step. */
import { openDatabase } from '../database/open-database.ts';
import { createItems } from '../items/item.ts';
import { createImportStep } from './import-step.ts';

const [url = '', id = '', creates = ''] = process.argv.slice(2);
const database = await openDatabase(url);
const { create } = createItems(database);
let count = 0;
const step = createImportStep(database, {
  create(...args) {
    if (++count > Number(creates)) process.kill(process.pid, 'SIGKILL');
    return create(...args);
  },
});
while ((await step(Number(id), 'killed')) === 'more');
