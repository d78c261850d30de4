/**
 * Adds items. `?like=7` fills the form with the fields of item 7, `?saved=7` with its place, tags and kind, and
 * `?kind=2` chooses a kind; `?code=…&scan` has a code that was scanned, and leads back to the page to scan.
 */
import { andThen } from 'seeother/middleware';
import {
  deleteScannedAction,
  itemHref,
  newAnotherHref,
  readScanBehind,
  scanHref,
} from '../../links.ts';
import { formHandlers } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import type { Suggest } from '../facets/suggestions.ts';
import { addFirstFiles, type MakeLater } from '../files/change-files.ts';
import { checkFiles } from '../files/check-files.ts';
import type { Items } from '../item.ts';
import { itemForm } from '../item-form.ts';
import {
  areFieldsChanged,
  createOwnForm,
  FIELDS_CHANGED,
  ownNames,
  toOwnInput,
} from '../own-form.ts';
import { fillNew, withMinimum } from './fill-new.ts';
import { itemFormPage } from './item-form-page.ts';

export function createAddController(items: Items, suggest: Suggest, makeLater: MakeLater) {
  const add = formHandlers(
    createOwnForm(items, () => itemForm),
    {
      name: 'createItem',
      page: '/items/new',
      base: itemForm,
      // The suggestions read the revision, which tells that of the definitions.
      load: () =>
        andThen(suggest(), (suggestions) =>
          andThen(items.definitions.known(), (known) => ({ suggestions, known })),
        ),
      fill: ({ request, known }) => fillNew(items, known, request.query),
      show({ isDraft, suggestions, ...context }) {
        const form = withMinimum(context.form);
        return itemFormPage({ viewer: toViewer(context), context, form, isDraft, suggestions });
      },
      check: checkFiles,
      async send({ session, transaction, form, values: { button, files, ...typed }, request }) {
        const input = { ...typed, ...toOwnInput(typed, ownNames(form)) };
        const author = session.user.id;
        const number = await items.add(transaction, input, author);
        const isChanged = areFieldsChanged(transaction, form);
        if (isChanged && (await isChanged)) return FIELDS_CHANGED;
        if (files.length > 0)
          await addFirstFiles(transaction, number, files, { author, makeLater });
        const scan = readScanBehind(request.query);
        if (button === 'another') {
          // At the address of the sent form, the empty form would replace it in the browser's cache, which Back needs.
          const path = newAnotherHref(number, scan);
          return { path, message: `“${input.name}” was saved as No. ${number}. Add another.` };
        }
        if (scan === null) return { path: itemHref(number), message: 'The item was saved.' };
        const message = `“${input.name}” was added as No. ${number}.`;
        const undo = { label: 'Undo', path: deleteScannedAction(number, scan) };
        return { path: scanHref(scan), message, action: undo };
      },
    },
  );
  return { add };
}
