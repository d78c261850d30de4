/** The forms to add places, and to rename or move one. */
import { createFormHandlers, defineForm } from 'seeother';
import { buttonField, fileField, hiddenField, textField } from 'seeother/fields';
import type { UserContext } from '../../site/contexts.ts';
import { MAX_PHOTO } from '../files/item-pictures.ts';
import { MAX_LOCATION_LENGTH } from '../item-limits.ts';

/** Lines of a form. */
export const MAX_PLACES = 100;

const inside = textField({
  label: 'Inside',
  hint: 'The place that it is in, like “Cellar” or “Cellar, rack”. Leave it empty for an outermost one.',
  // See suggestions.ts.
  attributes: { list: 'locations' },
  maxLength: MAX_LOCATION_LENGTH,
});

export const addPlacesForm = defineForm({
  places: textField({
    label: 'Places',
    hint: `One on each line, ${MAX_PLACES} at most. “Rack, shelf 1” is a shelf inside a rack.`,
    required: 'Enter the name of a place',
    maxLength: 10_000,
    multiline: true,
  }),
  inside,
});

export const editPlaceForm = defineForm({
  name: textField({ label: 'Name', required: 'Enter a name', maxLength: MAX_LOCATION_LENGTH }),
  inside,
  /** The version of the place that the form shows. */
  version: hiddenField({ revision: true }),
  /** The place that the page has said this one will be merged with. */
  merge: hiddenField(),
});

export const pictureForm = defineForm({
  picture: fileField({
    label: 'Photo',
    hint: 'A JPEG, PNG, WebP or HEIC file. It replaces the picture that is there.',
    maxSize: MAX_PHOTO,
    accept: ['image/*'],
  }),
  /** The id of the picture that the form shows: another one is not overwritten. */
  was: hiddenField({ revision: true }),
  button: buttonField({
    buttons: [
      { value: 'save', label: 'Save picture' },
      { value: 'remove', label: 'Remove picture' },
    ],
  }),
});

export type PictureFields = typeof pictureForm.fields;
export type AddPlacesFields = typeof addPlacesForm.fields;
export type EditPlaceFields = typeof editPlaceForm.fields;

export interface PlaceParams {
  readonly params: { readonly id: number };
}

export const placeFormHandlers = createFormHandlers<UserContext & PlaceParams>();
