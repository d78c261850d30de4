import { story } from './browser.ts';
import { tellPlaces } from './tell-places.ts';

story(
  'places are made, typed, renamed and moved with what is in them, and undone, at 320 pixels and without scripts',
  tellPlaces,
  { javaScriptEnabled: false, viewport: { width: 320, height: 640 } },
);
