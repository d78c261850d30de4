/** Limits of an item that more than one form has. Lengths are in characters. */
export const MAX_LOCATION_LENGTH = 120;
export const MAX_TAG_LENGTH = 40;
export const MAX_TAGS = 20;
export const MAX_QUANTITY = 1_000_000;
