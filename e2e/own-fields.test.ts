import { story } from './browser.ts';
import { openTeam, tellOwnFields } from './tell-fields.ts';

story(
  'a thing with own fields is added after a refusal and a log-in, changed by two people, and undone, at 320 pixels',
  tellOwnFields,
  { open: openTeam, viewport: { width: 320, height: 640 } },
);
