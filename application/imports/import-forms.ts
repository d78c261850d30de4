/** The forms of an import: the file, and the confirmation of what the preview showed. */
import { defineForm } from 'seeother';
import { fileField, hiddenField } from 'seeother/fields';
import { formatNumber } from '../site/format.ts';
import { MAX_ROWS } from './read-rows.ts';

/** In bytes. A million items exported are 144 MB. */
const MAX_SIZE = 32_000_000;

export const importForm = defineForm({
  file: fileField({
    label: 'CSV file',
    hint: `At most ${MAX_SIZE / 1e6} MB and ${formatNumber(MAX_ROWS)} rows. From Excel, save it as “CSV UTF-8”.`,
    required: 'Choose a CSV file',
    maxSize: MAX_SIZE,
    accept: ['.csv', 'text/csv'],
  }),
});

export const confirmForm = defineForm({
  /** The SHA-256 of the plan that the preview showed. */
  plan: hiddenField(),
});

export type ImportFields = typeof importForm.fields;
export type ConfirmFields = typeof confirmForm.fields;
