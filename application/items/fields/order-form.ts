/** The form of the order of kinds and fields: a number for each, so that it works without a script. */
import { defineForm } from 'seeother';
import { hiddenField, rows, wholeNumberField } from 'seeother/fields';

/** Of kinds, and of fields. */
const MAX_ROWS = 500;

const ordered = (label: string, name: string) =>
  rows({
    label,
    name,
    fields: {
      id: hiddenField(),
      title: hiddenField(),
      place: wholeNumberField({
        label: 'Place',
        required: 'Enter a place',
        min: 0,
        max: 1_000_000,
        default: null,
      }),
    },
    max: MAX_ROWS,
    fixed: true,
    title: 'title',
  });

export const orderForm = defineForm({
  kinds: ordered('Kinds of things', 'Kind'),
  fields: ordered('Fields', 'Field'),
});
