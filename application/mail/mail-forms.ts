/** The form for the address of an account, and the one behind the link in each mail. */
import { defineForm } from 'seeother';
import { emailField, hiddenField } from 'seeother/fields';

export const addressForm = defineForm({
  email: emailField({ label: 'Email', hint: 'Leave it empty to get no mails.' }),
});

/** `mails` says what is to be, so a form that arrives twice changes nothing the second time. */
export const switchForm = defineForm({ link: hiddenField(), mails: hiddenField() });
