import { story } from './browser.ts';
import { tellPhotos } from './tell-photos.ts';

story(
  'photos are taken, kept through refusals, ordered, described, removed and brought back',
  tellPhotos,
);
