import { createHomeboxExport } from '../application/testing/exports/homebox.ts';
import { register, story } from './browser.ts';
import { BARE, importExport } from './tell-import.ts';

story(
  'an export of Homebox, 40 things, is imported in five steps, and again nothing is new',
  async ({ page }) => {
    await register(page);
    await importExport(page, 'Homebox', createHomeboxExport(40));
  },
  BARE,
);
