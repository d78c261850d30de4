/** Discards the draft that a log-in has carried along, and leads to the page of the form, which is then empty. */
import { createFormHandlers, dropDraft, localPath, seeOther, withSession } from 'seeother';
import { href } from '../links.ts';
import { buttonForm } from '../site/button-form.ts';
import type { UserContext } from '../site/contexts.ts';

export const discard = createFormHandlers<UserContext>()(buttonForm, {
  name: 'discardDraft',
  once: false,
  act: ({ session: { draft } }) =>
    withSession(seeOther(draft === null ? href('/items') : localPath(draft.path)), dropDraft),
});
