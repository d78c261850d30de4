/** The chain, and the pages of each folder. `createSite` has the whole defensive chain. */
import { fileURLToPath } from 'node:url';
import { createSite, loadFiles, localPath, type SiteOptions, seeOther } from 'seeother';
import { createStores, type Database } from 'seeother/database';
import { layout } from './layout.ts';
import { addThings } from './things/routes.ts';

type Options = Pick<SiteOptions, 'log' | 'publicOrigin'>;

export function createRouter(database: Database, options: Options = {}) {
  const site = createSite(createStores(database), {
    ...options,
    files: loadFiles(fileURLToPath(new URL('public', import.meta.url))),
    errors: { layout },
  });
  site.get('/', () => seeOther(localPath('/things')));
  addThings(site, database);
  return site;
}
