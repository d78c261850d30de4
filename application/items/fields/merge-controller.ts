/** Merges two fields, two kinds of things, or two choices of a field, with one Undo. */

import { type FlashAction, type Href, type Response, withFlash } from 'seeother';
import type { KyselyTransaction } from '../../database/kysely.ts';
import { action, fieldHref, fieldsHref, kindHref, undoFieldsAction } from '../../links.ts';
import { formatCount, formatNumber, listNames } from '../../site/format.ts';
import { toViewer } from '../../site/layout.ts';
import type { Items } from '../item.ts';
import { idFormHandlers, requireField, requireKind } from './field-context.ts';
import { toMergeForm } from './merge-form.ts';
import { mergePage } from './merge-page.ts';
import {
  type Merge,
  type Merged,
  type MergeRest,
  mergeAgain,
  mergeable,
  mergePart,
} from './merge-values.ts';

export interface MergeOptions {
  readonly items: Pick<Items, 'definitions'>;
  readonly mergeRest: MergeRest;
}

export function createMergeController({ items, mergeRest }: MergeOptions) {
  const mergeField = idFormHandlers(
    async (context) => {
      const known = await items.definitions.read();
      const field = known.allFields.get(context.params.id);
      if (field === undefined) return NOTHING;
      return toMergeForm([toOption(field.id, field.label)], mergeable(field, known).map(optionOf));
    },
    {
      name: 'mergeField',
      load: async (context) => ({ field: requireField(await items.definitions.read(), context) }),
      fill: ({ field }) => ({ from: String(field.id) }),
      show: ({ field, form, ...context }) =>
        mergePage({
          ...{ viewer: toViewer(context), form, title: `Merge the field “${field.label}”` },
          about: `Things that have “${field.label}” get its value in the other field, which must have the same kind of value and the same unit. Where a thing has both, the value of the other field stays.`,
          none: 'There is no other field with the same kind of value and the same unit.',
          back: fieldHref(field.id),
          action: action('/fields/:id<int>/merge', { id: field.id }, { send: '' }),
        }),
      act: ({ once, session, values: { from, into } }) =>
        merge(once, { what: 'field', from: Number(from), into: Number(into) }, session.user.id),
    },
  );

  const mergeKind = idFormHandlers(
    async (context) => {
      const { kinds, allKinds } = await items.definitions.read();
      const kind = allKinds.get(context.params.id);
      if (kind === undefined) return NOTHING;
      const others = kinds.filter(({ id }) => id !== kind.id);
      return toMergeForm(
        [toOption(kind.id, kind.name)],
        others.map(({ id, name }) => toOption(id, name)),
      );
    },
    {
      name: 'mergeKind',
      load: async (context) => ({ kind: requireKind(await items.definitions.read(), context) }),
      fill: ({ kind }) => ({ from: String(kind.id) }),
      show: ({ kind, form, ...context }) =>
        mergePage({
          ...{ viewer: toViewer(context), form, title: `Merge the kind “${kind.name}”` },
          about: `Things of the kind “${kind.name}” become things of the other kind, which gets its fields, too.`,
          none: 'There is no other kind.',
          back: kindHref(kind.id),
          action: action('/fields/kinds/:id<int>/merge', { id: kind.id }, { send: '' }),
        }),
      act: ({ once, session, values: { from, into } }) =>
        merge(once, { what: 'kind', from: Number(from), into: Number(into) }, session.user.id),
    },
  );

  const mergeChoices = idFormHandlers(
    async (context) => {
      const { allFields } = await items.definitions.read();
      const { choices = [] } = allFields.get(context.params.id) ?? {};
      const offered = choices.filter(({ removed }) => removed !== true);
      const options = offered.map(({ id, label }) => ({ value: id, label }));
      return toMergeForm(options, options);
    },
    {
      name: 'mergeChoices',
      load: async (context) => ({ field: requireField(await items.definitions.read(), context) }),
      show: ({ field, form, ...context }) =>
        mergePage({
          ...{ viewer: toViewer(context), form, title: `Merge choices of “${field.label}”` },
          about: 'Things that have the first choice get the second one.',
          none: 'The field has fewer than two choices.',
          back: fieldHref(field.id),
          action: action('/fields/:id<int>/choices', { id: field.id }, { send: '' }),
        }),
      check: ({ values: { from, into } }) =>
        from !== undefined && from === into
          ? [{ field: 'into', message: 'Choose a different one' }]
          : [],
      act: ({ once, session, params, values: { from, into } }) =>
        merge(once, { what: 'choice', field: params.id, from, into }, session.user.id),
    },
  );

  async function merge(once: Once, wanted: Merge, author: number) {
    // Stays null if an earlier copy of the form was carried out.
    let begun = null as Merged | null;
    const path = fieldsHref();
    const answer = await mergeAgain(() =>
      once(async (transaction) => {
        begun = await mergePart(transaction, wanted, author);
        if (begun === null)
          return { path, message: 'One of the two was removed meanwhile. Nothing was merged.' };
        return begun.change === null ? path : withUndo(path, begun);
      }),
    );
    if (begun === null || begun.change !== null) return answer;
    const { message, action } = withUndo(path, await mergeRest(wanted, author, begun));
    return withFlash(answer, message, action);
  }

  return { mergeField, mergeKind, mergeChoices };
}

/** Of a field or a kind that does not exist: `load` says so. */
const NOTHING = toMergeForm([], []);

interface Shown {
  readonly path: Href;
  readonly message: string;
  readonly action?: FlashAction;
}

type Once = (
  work: (transaction: KyselyTransaction) => Promise<Href | Shown>,
) => Promise<Response<303>>;

function withUndo(path: Href, merged: Merged) {
  const { change } = merged;
  const message = describeMerged(merged);
  if (change === null) return { path, message };
  return { path, message, action: { label: 'Undo', path: undoFieldsAction(change) } };
}

function describeMerged({ from, into, changed, both, bothCount, change }: Merged): string {
  const things = formatCount(changed, 'thing', 'things');
  if (change === null)
    return `“${from}” was merged into “${into}” on ${things}. Others still have it: merge it again for those.`;
  const rest = bothCount - both.length;
  const names = both.map((name) => `“${name}”`);
  const all = rest === 0 ? names : [...names, `${formatNumber(rest)} more`];
  const kept =
    bothCount === 0
      ? ''
      : ` ${formatCount(bothCount, 'thing', 'things')} had both, and kept the value of “${into}”: ${listNames(all)}.`;
  return `“${from}” was merged into “${into}” on ${things}.${kept}`;
}

function optionOf({ id, label }: { readonly id: number; readonly label: string }) {
  return toOption(id, label);
}

function toOption(id: number, label: string) {
  return { value: String(id), label };
}
