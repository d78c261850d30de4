/** The field of every form that takes photos and documents of an item. */
import { filesField } from 'seeother/fields';

/** Of one form, and bytes of each. */
const MAX_FILES = 20;
const MAX_SIZE = 50_000_000;

/**
 * A telephone offers its camera for pictures; everything else is taken as a document, whatever it is, and only ever
 * downloaded.
 */
export const itemFilesField = filesField({
  label: 'Photos and documents',
  hint: 'The first photo is the picture of the item.',
  maxFiles: MAX_FILES,
  maxSize: MAX_SIZE,
  accept: ['image/*', '*/*'],
});
