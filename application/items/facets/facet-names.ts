/** The words for locations and tags, and how long their names may be. */
import { MAX_LOCATION_LENGTH, MAX_TAG_LENGTH } from '../item-limits.ts';

export const FACET_NAMES = {
  location: { one: 'location', many: 'locations', maxLength: MAX_LOCATION_LENGTH },
  tag: { one: 'tag', many: 'tags', maxLength: MAX_TAG_LENGTH },
} as const;

export const TITLES = { location: 'Locations', tag: 'Tags' } as const;
