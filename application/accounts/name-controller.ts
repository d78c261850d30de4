/** The controller to choose the name that others see. */
import { href } from '../links.ts';
import { formHandlers } from '../site/contexts.ts';
import { toViewer } from '../site/layout.ts';
import { nameForm } from './account-forms.ts';
import { changeDisplayName, mixesAlphabets } from './display-name.ts';
import { namePage } from './name-page.ts';

export function createNameController() {
  const name = formHandlers(nameForm, {
    name: 'changeName',
    fill: ({ session }) => ({ displayname: session.user.displayName ?? '' }),
    show: ({ form, errors, ...context }) => namePage({ viewer: toViewer(context), form, errors }),
    async act({ once, session, values: { displayname } }) {
      if (mixesAlphabets(displayname)) return { errors: [MIXED] };
      try {
        return await once(async (transaction) => {
          if (!(await changeDisplayName(transaction, session.user.id, displayname)))
            throw new NameTaken();
          const shown = displayname === '' ? session.user.name : displayname;
          return { path: href('/account'), message: `Others now see you as ${shown}.` };
        });
      } catch (error) {
        if (!(error instanceof NameTaken)) throw error;
        return { errors: [NAME_TAKEN] };
      }
    },
  });
  return { name };
}

/** Rolls the transaction back. */
class NameTaken extends Error {
  override readonly name = 'NameTaken';
}

export const MIXED = {
  field: 'displayname',
  message: 'Name must be written in one alphabet',
} as const;

export const NAME_TAKEN = {
  field: 'displayname',
  message: 'Somebody else has this name, or one that reads like it. Choose another',
} as const;
