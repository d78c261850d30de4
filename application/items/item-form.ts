/** The forms of an item: to add it, to edit it, to take or add some of it, and to lend and return it. */
import {
  buttonField,
  choiceField,
  defineForm,
  type FormValues,
  hiddenField,
  listField,
  textField,
  wholeNumberField,
} from 'seeother';
import { MAX_LOCATION_LENGTH, MAX_TAG_LENGTH, MAX_TAGS } from './item-limits.ts';

const itemFields = {
  name: textField({
    label: 'Name',
    required: 'Enter a name',
    maxLength: 120,
  }),
  description: textField({ label: 'Description', maxLength: 10_000, multiline: true }),
  quantity: wholeNumberField({ label: 'Quantity', min: 0, max: 1_000_000, default: 1 }),
  minimum: wholeNumberField({
    label: 'Minimum',
    hint: 'With a lower quantity, the list shows the item as running low.',
    min: 1,
    max: 1_000_000,
    default: null,
  }),
  location: textField({
    label: 'Location',
    hint: 'Where to look for it, like “Office, drawer 2”.',
    // See suggestions.ts.
    attributes: { list: 'locations' },
    maxLength: MAX_LOCATION_LENGTH,
  }),
  tags: listField({
    label: 'Tags',
    hint: 'Separate tags with commas, like “tools, lent out”.',
    attributes: { list: 'known-tags' },
    entry: 'Tag',
    maxEntryLength: MAX_TAG_LENGTH,
    maxEntries: MAX_TAGS,
  }),
};

export const itemForm = defineForm({
  ...itemFields,
  button: buttonField({
    buttons: [
      { value: 'save', label: 'Save item' },
      { value: 'another', label: 'Save and add another' },
    ],
  }),
});

/** Whose value to save, where somebody else has changed the same field. */
const choice = (label: string) =>
  choiceField({
    label,
    choices: [
      { value: 'mine', label: 'Yours' },
      { value: 'theirs', label: 'Theirs' },
    ],
  });

export const editForm = defineForm({
  ...itemFields,
  /** The version of the item that the form shows. */
  version: hiddenField({ inDraft: true }),
  choose_name: choice('Name'),
  choose_description: choice('Description'),
  choose_quantity: choice('Quantity'),
  choose_minimum: choice('Minimum'),
  choose_location: choice('Location'),
  choose_tags: choice('Tags'),
  button: buttonField({
    buttons: [
      { value: 'save', label: 'Save changes' },
      { value: 'restore', label: 'Restore and save' },
    ],
  }),
});

export const quantityForm = defineForm({
  amount: wholeNumberField({
    label: 'Amount',
    required: 'Enter an amount',
    min: 1,
    max: 1_000_000,
    default: 1,
  }),
  reason: textField({ label: 'Reason', hint: 'Like “for the fair”.', maxLength: 200 }),
  button: buttonField({
    buttons: [
      { value: 'take', label: 'Take' },
      { value: 'add', label: 'Add' },
    ],
  }),
});

export const lendForm = defineForm({
  to: textField({
    label: 'Who has it',
    hint: 'Someone in the team, or any other name.',
    required: 'Enter who has it',
    maxLength: 120,
    attributes: { list: 'people', autocomplete: 'off' },
  }),
  until: textField({
    label: 'Until',
    hint: 'The last day. After that, the list shows the item as overdue.',
    maxLength: 40,
    attributes: { type: 'date' },
  }),
});

export const returnForm = defineForm({
  /** When the loan began that the form ends. */
  lent: hiddenField(),
});

export type ItemFields = typeof itemForm.fields;
export type EditFields = typeof editForm.fields;
export type EditValues = FormValues<EditFields>;
export type QuantityFields = typeof quantityForm.fields;
export type LendFields = typeof lendForm.fields;
export type ReturnFields = typeof returnForm.fields;
