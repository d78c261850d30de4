/**
 * The two forms to count the items of a list. The first has a number to type over for each item. The second shows those
 * that differ, and stores them. In between, the address holds what was counted: see counts.ts.
 */
import { defineForm } from 'seeother';
import { choiceField, hiddenField, rows, wholeNumberField } from 'seeother/fields';
import { MAX_QUANTITY } from '../item-limits.ts';

/** Items on a page. Each page is stored for itself. */
export const MAX_COUNTED = 100;

const hidden = hiddenField({ inDraft: true });

const ITEMS = {
  label: 'Items',
  name: 'Item',
  max: MAX_COUNTED,
  fixed: true,
  title: 'name',
} as const;

export const countForm = defineForm({
  items: rows({
    ...ITEMS,
    fields: {
      number: hidden,
      name: hidden,
      /** The quantity that the page shows. */
      was: hidden,
      counted: wholeNumberField({
        label: 'Counted',
        min: 0,
        max: MAX_QUANTITY,
        default: null,
        attributes: { autocomplete: 'off' },
      }),
    },
  }),
});

export const differencesForm = defineForm({
  items: rows({
    ...ITEMS,
    fields: {
      number: hidden,
      name: hidden,
      /** The quantity while it was counted. */
      was: hidden,
      /** The quantity and the loan that this page shows: see `stateSeen`. */
      seen: hidden,
      counted: hidden,
      /** Only asked for some of them: see `isAsked`. */
      choice: choiceField({
        label: 'Which number is right?',
        required: 'Choose which number is right',
        as: 'radio',
        choices: [
          { value: 'stored', label: 'The stored one' },
          { value: 'counted', label: 'The counted one' },
        ],
      }),
    },
  }),
});

export type CountFields = typeof countForm.fields;
export type DifferencesFields = typeof differencesForm.fields;
