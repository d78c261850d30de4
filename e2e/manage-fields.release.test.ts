import { story } from './browser.ts';
import { tellFields } from './tell-fields.ts';

story(
  'an administrator makes a kind with a field, things have it, and the list filters and sorts by it, at 320 pixels',
  tellFields,
  { viewport: { width: 320, height: 700 } },
);
