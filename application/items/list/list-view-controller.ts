/** Changes how the user's own account sees the list, on all devices. */
import { errorSummary, formField, formTag, formTitle, html } from 'seeother';
import { action, href } from '../../links.ts';
import { formHandlers } from '../../site/contexts.ts';
import { layout, toViewer } from '../../site/layout.ts';
import type { Items } from '../item.ts';
import { readListView, writeListView } from './list-view.ts';
import { toListViewForm } from './list-view-form.ts';

export function createListViewController(items: Pick<Items, 'definitions'>) {
  const listView = formHandlers(async () => toListViewForm(await items.definitions.read()), {
    name: 'chooseListView',
    async fill({ session }) {
      const { columns, isCompact } = readListView(
        session.user.listView,
        await items.definitions.read(),
      );
      return { columns, rows: isCompact ? 'compact' : 'comfortable' };
    },
    show({ form, errors, ...context }) {
      return layout({
        title: formTitle('Columns of the list – Items', form),
        viewer: toViewer(context),
        section: 'items',
        main: html`${errorSummary(form)}
<p class="back"><a href="${href('/items')}">← Items</a></p>
<h1>Columns of the list</h1>
<p>Your choice applies to you alone, on all your devices.</p>
${formTag(
  form,
  html`${formField(form, 'columns')}
${formField(form, 'rows')}
<div class="actions"><button>Save</button> <a href="${href('/items')}">Cancel</a></div>
`,
  { action: action('/account/list'), class: 'form' },
)}`,
      });
    },
    act: async ({ once, session, values: { columns, rows } }) => {
      const known = await items.definitions.read();
      return once(async (transaction) => {
        const list_view = writeListView({ columns, isCompact: rows === 'compact' }, known);
        const { id } = session.user;
        await transaction.updateTable('accounts').set({ list_view }).where('id', '=', id).execute();
        return { path: href('/items'), message: 'The list has your columns and rows now.' };
      });
    },
  });
  return { listView };
}
