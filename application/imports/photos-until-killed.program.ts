/** A child process that attaches the photos of an import, and kills itself in the middle of a transaction. */
import { createStores } from 'seeother/database';
import { createFolder } from 'seeother/files';
import { openDatabase } from '../database/open-database.ts';
import { createItems } from '../items/item.ts';
import { createImportStep } from './import-step.ts';

const [url = '', folder = '', id = '', photos = ''] = process.argv.slice(2);
const database = await openDatabase(url);
const { files } = createStores(database.door, { fileStore: createFolder(folder) });
let count = 0;
const step = createImportStep(database, createItems(database), {
  files,
  // Called in the transaction, after the row of the photo.
  makeLater: () => async () => {
    if (++count > Number(photos)) process.kill(process.pid, 'SIGKILL');
  },
});
while ((await step(Number(id), 'killed')) === 'more');
