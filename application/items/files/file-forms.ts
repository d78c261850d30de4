/** The forms that add files to an item, and change one of them. */
import { defineForm } from 'seeother';
import { buttonField, hiddenField, textField } from 'seeother/fields';
import { itemFilesField } from '../files-field.ts';

export const addFilesForm = defineForm({ files: itemFilesField });

export type AddFilesFields = typeof addFilesForm.fields;

export const fileForm = defineForm({
  caption: textField({
    label: 'Caption',
    hint: 'What one sees, for those who cannot see it.',
    maxLength: 200,
  }),
  /** The caption that the page shows: another one is not overwritten. */
  was: hiddenField({ revision: true }),
  button: buttonField({
    buttons: [
      { value: 'save', label: 'Save caption' },
      { value: 'first', label: 'Use as the picture' },
      { value: 'earlier', label: 'Move earlier' },
      { value: 'later', label: 'Move later' },
      { value: 'remove', label: 'Remove' },
    ],
  }),
});

export type FileFields = typeof fileForm.fields;
