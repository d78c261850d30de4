/** Adds kinds of things, changes and removes them. Each change is in the log, with its Undo. */
import { changeDefinitions, createKind, readLocked } from '../../own-fields/change-definitions.ts';
import { findNameProblem } from '../../own-fields/label-rules.ts';
import { buttonForm } from '../../site/button-form.ts';
import { formHandlers } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import type { Items } from '../item.ts';
import { answerChange, besideNow, refuseOld } from './definition-page.ts';
import { idFormHandlers, requireKind } from './field-context.ts';
import { kindForm } from './kind-form.ts';
import { kindFormPage } from './kind-form-page.ts';

export function createKindController(items: Pick<Items, 'definitions'>) {
  const addKind = formHandlers(kindForm, {
    name: 'addKind',
    show: async ({ form, ...context }) =>
      kindFormPage({
        ...{ viewer: toViewer(context), kind: null, form, isConflict: false },
        definitions: await items.definitions.read(),
      }),
    async send({ transaction, session, values: { name, icon, minimum } }) {
      const problem = findNameProblem(name, await readLocked(transaction));
      if (problem !== null) return { errors: [{ field: 'name', message: problem }] };
      const kind = { name, icon: icon ?? '', minimum };
      const { change } = await createKind(transaction, kind, session.user.id);
      return answerChange(change, `The kind “${name}” was added. Add the fields that it has.`);
    },
  });

  const changeKind = idFormHandlers(kindForm, {
    name: 'changeKind',
    load: async (context) => {
      const known = await items.definitions.read();
      return { definitions: known, kind: requireKind(known, context) };
    },
    fill: ({ kind: { name, icon, minimum, version } }) => ({
      ...{ name, icon, version: String(version) },
      minimum: minimum === null ? '' : String(minimum),
    }),
    show: ({ definitions, kind, ...context }) =>
      kindFormPage({ viewer: toViewer(context), definitions, kind, ...besideNow(context, kind) }),
    async send({ transaction, session, values, params }) {
      const locked = await readLocked(transaction);
      const now = requireKind(locked, { params });
      const { name, icon, minimum } = values;
      const problem = findNameProblem(name, locked, now.id);
      if (problem !== null) return { errors: [{ field: 'name', message: problem }] };
      if (values.version !== String(now.version)) return refuseOld('name', 'kind');
      const set = { name, icon: icon ?? '', minimum, removed: 0 };
      const edit = { table: 'item_kinds', id: now.id, set } as const;
      const by = { author: session.user.id, kind: 'changed' } as const;
      const change = await changeDefinitions(transaction, [edit], by);
      return answerChange(change, `The kind “${name}” was changed.`);
    },
  });

  const removeKind = idFormHandlers(buttonForm, {
    name: 'removeKind',
    page: '/fields/kinds/:id<int>',
    async send({ transaction, session, params }) {
      const { name } = requireKind(await readLocked(transaction), { params });
      const by = { author: session.user.id, kind: 'removed' } as const;
      const edit = { table: 'item_kinds', id: params.id, set: { removed: 1 } } as const;
      const change = await changeDefinitions(transaction, [edit], by);
      const done = `The kind “${name}” was removed. Its things have no kind, and keep their values.`;
      return answerChange(change, done, 'The kind was removed before.');
    },
  });

  return { addKind, changeKind, removeKind };
}
