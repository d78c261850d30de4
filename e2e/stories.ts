/**
 * Runs all stories but those of `npm run test:release` in one process, a few at a time, so that they share its
 * browsers. Each file can also run as an ordinary test.
 */

import { readdirSync } from 'node:fs';
import { describe } from 'node:test';
import { stopTracking } from '../application/testing/track-registration.ts';

const AT_ONCE = 3;

const files = readdirSync(import.meta.dirname).filter(
  (name) => name.endsWith('.test.ts') && !name.endsWith('.release.test.ts'),
);

describe('in a browser', { concurrency: AT_ONCE }, async () => {
  for (const file of files) await import(`./${file}`);
  stopTracking();
});
