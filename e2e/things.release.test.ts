/**
 * The stories of photos, labels, scanning, own fields, places and imports, in each browser, on a phone and on a desk,
 * with and without scripts. `npm test` tells each of them once, but for own fields and an import of an export, whose
 * pages have tests of their own.
 */
import { createHomeboxExport } from '../application/testing/exports/homebox.ts';
import { register, type Story, story } from './browser.ts';
import { openTeam, tellFields, tellOwnFields } from './tell-fields.ts';
import { importExport } from './tell-import.ts';
import { tellLabels, tellScans } from './tell-labels-and-scan.ts';
import { tellPhotos } from './tell-photos.ts';
import { tellPlaces } from './tell-places.ts';

async function tellImport({ page }: Story): Promise<void> {
  await register(page);
  await importExport(page, 'Homebox', createHomeboxExport(40));
}

const STORIES = [
  { name: 'photos', tell: tellPhotos },
  { name: 'labels', tell: tellLabels },
  { name: 'a hand scanner', tell: tellScans, reducedMotion: 'reduce' },
  { name: 'own fields', tell: tellFields },
  { name: 'a thing with own fields', tell: tellOwnFields, open: openTeam },
  { name: 'places', tell: tellPlaces },
  { name: 'an import', tell: tellImport, environment: { SAMPLE_ITEMS: '0' } },
] as const;

const SIZES = [
  { width: 360, height: 780 },
  { width: 1280, height: 800 },
];

for (const { name, tell, ...options } of STORIES)
  for (const browser of ['chromium', 'firefox'] as const)
    for (const viewport of SIZES)
      for (const javaScriptEnabled of [true, false])
        story(
          `${name}, in ${browser}, at ${viewport.width} pixels, ${javaScriptEnabled ? 'with' : 'without'} scripts`,
          tell,
          { ...options, browser, viewport, javaScriptEnabled },
        );
