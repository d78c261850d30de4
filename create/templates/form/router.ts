/** The chain and every page, from top to bottom. `createSite` has the whole defensive chain. */
import { fileURLToPath } from 'node:url';
import { createSite, formPage, loadFiles, localPath, type SiteOptions } from 'seeother';
import { createStores, type Database } from 'seeother/database';
import { addNote, listNotes } from './database.ts';
import { noteForm, showNotes } from './notes.ts';

type Options = Pick<SiteOptions, 'log' | 'publicOrigin'>;

export function createRouter(database: Database, options: Options = {}) {
  const files = loadFiles(fileURLToPath(new URL('public', import.meta.url)));
  const site = createSite(createStores(database), { ...options, files });
  formPage(site, '/', noteForm, {
    button: 'Add note',
    show: async (context) => showNotes(context, await listNotes(database.read)),
    async send({ values, transaction }) {
      await addNote(transaction, values.text);
      return { path: localPath('/'), message: 'The note was added.' };
    },
  });
  return site;
}
