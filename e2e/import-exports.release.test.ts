/** The exports of other programs, beside the spreadsheet of import-items.test.ts. */
import { createHomeboxExport, createHomeboxZip } from '../application/testing/exports/homebox.ts';
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

story(
  'a zip of Homebox, 40 things with photos, is imported in five steps, and again nothing is new',
  async ({ page }) => {
    await register(page);
    const { zip: file, photos, ...rest } = createHomeboxZip(40);
    const count = [...photos.values()].flat().length;
    await importExport(page, 'Homebox', { ...rest, file, photos: count });
    if (process.env['SHOTS']) {
      await page.screenshot({ path: `${process.env['SHOTS']}/result.png`, fullPage: true });
      await page.goto('/items/import');
      await page.screenshot({ path: `${process.env['SHOTS']}/import.png`, fullPage: true });
    }
  },
  BARE,
);
