/** Ten times the things of import-exports.test.ts, and the exports of the other programs. */
import { createHomeboxExport } from '../application/testing/exports/homebox.ts';
import { createInvenTreeExport } from '../application/testing/exports/inventree.ts';
import { createSnipeItExport } from '../application/testing/exports/snipe-it.ts';
import { register, story } from './browser.ts';
import { BARE, importExport } from './tell-import.ts';

story(
  'exports of three programs, 400 things each, are imported in five steps, and again nothing is new',
  async ({ page }) => {
    await register(page);
    await importExport(page, 'Homebox', createHomeboxExport());
    await importExport(page, 'Snipe-IT', createSnipeItExport());
    await importExport(page, 'InvenTree', createInvenTreeExport());
  },
  BARE,
);
