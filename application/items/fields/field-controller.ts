/** Adds fields of the team's own, changes and removes them. Each change is in the log, with its Undo. */
import { changeDefinitions, createField, readLocked } from '../../own-fields/change-definitions.ts';
import { findDoubleChoice, findLabelProblem } from '../../own-fields/label-rules.ts';
import { toColumns } from '../../own-fields/write-definitions.ts';
import { buttonForm } from '../../site/button-form.ts';
import { formHandlers } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import type { Items } from '../item.ts';
import { answerChange, besideNow, refuseOld } from './definition-page.ts';
import { idFormHandlers, requireField } from './field-context.ts';
import { type FieldFormValues, toDefinition, toFieldForm, toFieldText } from './field-form.ts';
import { fieldFormPage } from './field-form-page.ts';

export function createFieldController(items: Pick<Items, 'definitions'>) {
  const addField = formHandlers(async () => toFieldForm(await items.definitions.read(), null), {
    name: 'addField',
    fill: ({ request: { query } }) => ({ of: query.get('of') ?? 'all' }),
    show: ({ form, ...context }) =>
      fieldFormPage({ viewer: toViewer(context), field: null, form, isConflict: false }),
    check: ({ values }) => findDoubles(values),
    async send({ transaction, session, values }) {
      const field = toDefinition(values, null);
      const { label, itemKind } = field;
      const problem = findLabelProblem(label, itemKind, await readLocked(transaction));
      if (problem !== null) return { errors: [{ field: 'label', message: problem }] };
      const { change } = await createField(transaction, field, session.user.id);
      return answerChange(change, `The field “${label}” was added.`);
    },
  });

  const changeField = idFormHandlers(
    async ({ params }) => {
      const known = await items.definitions.read();
      return toFieldForm(known, known.allFields.get(params.id) ?? null);
    },
    {
      name: 'changeField',
      load: async (context) => ({ field: requireField(await items.definitions.read(), context) }),
      fill: ({ field }) => toFieldText(field) as Record<never, never>,
      show: ({ field, ...context }) =>
        fieldFormPage({ viewer: toViewer(context), field, ...besideNow(context, field) }),
      check: ({ values }) => findDoubles(values),
      async send({ transaction, session, values, params }) {
        const locked = await readLocked(transaction);
        const now = requireField(locked, { params });
        const wanted = toDefinition(values, now);
        const { label, itemKind } = wanted;
        const problem = findLabelProblem(label, itemKind, locked, now.id);
        if (problem !== null) return { errors: [{ field: 'label', message: problem }] };
        if (values.version !== String(now.version)) return refuseOld('label', 'field');
        const set = { ...toColumns(wanted), removed: 0 };
        const edit = { table: 'own_fields', id: now.id, set } as const;
        const by = { author: session.user.id, kind: 'changed' } as const;
        const change = await changeDefinitions(transaction, [edit], by);
        return answerChange(change, `The field “${label}” was changed.`);
      },
    },
  );

  const removeField = idFormHandlers(buttonForm, {
    name: 'removeField',
    page: '/fields/:id<int>',
    async send({ transaction, session, params }) {
      const by = { author: session.user.id, kind: 'removed' } as const;
      const edit = { table: 'own_fields', id: params.id, set: { removed: 1 } } as const;
      const { label } = requireField(await readLocked(transaction), { params });
      const change = await changeDefinitions(transaction, [edit], by);
      const done = `The field “${label}” was removed. Things keep its values until it is brought back.`;
      return answerChange(change, done, 'The field was removed before.');
    },
  });

  return { addField, changeField, removeField };
}

function findDoubles({ value }: Partial<FieldFormValues>) {
  if (value?.choice !== 'one' && value?.choice !== 'several') return [];
  const { choice, choices } = value;
  const pathOf = (at: number) => `value.${choice}.choices.${at}.label` as const;
  const at = findDoubleChoice(choices.map(({ label }) => label));
  const double = 'There is this choice already: enter another name';
  const doubles = at === null ? [] : [{ field: pathOf(at), message: double }];
  const comma = 'Choice must not have a comma: files separate several choices by it';
  const commas = choices.flatMap(({ label }, index) =>
    choice === 'several' && label.includes(',') ? [{ field: pathOf(index), message: comma }] : [],
  );
  return [...doubles, ...commas];
}
