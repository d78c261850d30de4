/** Sets the kind, or a field of the team's own, on all things that are ticked, as one batch. */
import { errorSummary, formField, formTag, formTitle, html } from 'seeother';
import { backToList, selectHref, setFieldAction } from '../../links.ts';
import { readDefinitions, readLocked } from '../../own-fields/change-definitions.ts';
import type { Definitions, OwnField } from '../../own-fields/definitions.ts';
import { showOwnValue, withoutEmpty } from '../../own-fields/own-values.ts';
import { PEOPLE_LIST } from '../../own-fields/to-form-field.ts';
import { formHandlers } from '../../site/contexts.ts';
import { formatCount, formatNumber } from '../../site/format.ts';
import { layout, toViewer } from '../../site/layout.ts';
import { withUndo } from '../events/batch-text.ts';
import type { ItemState } from '../events/item-changes.ts';
import { type Suggest, suggestionList } from '../facets/suggestions.ts';
import type { Items } from '../item.ts';
import { MAX_SELECTED } from '../matching-items.ts';
import { parseNumber } from '../parse-number.ts';
import { readItemQuery } from '../read-item-query.ts';
import { readTicked, writeTicked } from '../ticked-numbers.ts';
import { changeMany } from './change-many.ts';
import { describeDone } from './describe-done.ts';
import { type SetValue, toSetFieldForm } from './set-field-form.ts';

export function createSetFieldController(items: Pick<Items, 'definitions'>, suggest: Suggest) {
  const setField = formHandlers(async () => toSetFieldForm(await items.definitions.read()), {
    name: 'setField',
    fill: ({ request: { query } }) => ({ ticked: query.get('ticked') ?? '' }),
    async show({ form, request, ...context }) {
      const { people } = await suggest();
      const { list, back } = readPlace(request.query);
      const ticked = readTicked(form.text.ticked);
      const cancel = selectHref(list, undefined, { ticked: writeTicked(ticked), back });
      const things = formatCount(ticked.length, 'thing', 'things');
      return layout({
        title: formTitle(`Set a field of ${things} – Items`, form),
        viewer: toViewer({ ...context }),
        section: 'items',
        main: html`${errorSummary(form)}
<p class="back"><a href="${cancel}">← Select items</a></p>
<h1>Set a field of ${things}</h1>
<p>All of them get the same value. An empty value removes theirs.</p>
${formTag(
  form,
  html`${formField(form, 'ticked')}
${formField(form, 'set')}
${people === null ? null : suggestionList(PEOPLE_LIST, people)}
<div class="actions"><button>Set</button> <a href="${cancel}">Cancel</a></div>
`,
  { action: setFieldAction(list, back), class: 'form' },
)}`,
      });
    },
    check({ form }) {
      const count = readTicked(form.text.ticked).length;
      if (count === 0) return [{ field: 'set', message: 'Tick at least one item' }];
      if (count <= MAX_SELECTED) return [];
      const most = formatNumber(MAX_SELECTED);
      return [
        { field: 'set', message: `At most ${most} items can be changed at once: untick some` },
      ];
    },
    async send({ transaction, session, form, values, request }) {
      const { list, back } = readPlace(request.query);
      const wanted = values.set as SetValue;
      const change = toChange(wanted, await readDefinitions(transaction));
      if (change === null) return REMOVED;
      const { operation, apply } = change;
      const numbers = readTicked(form.text.ticked);
      const by = { author: session.user.id, operation };
      const done = await changeMany(transaction, numbers, apply, by);
      // As it is until the end: the definitions are locked after the items.
      if (toChange(wanted, await readLocked(transaction)) === null) return REMOVED;
      return withUndo(done.batch, backToList(list, back ?? 1), describeDone(operation, done));
    },
  });
  return { setField };
}

const REMOVED = {
  errors: [{ field: 'set', message: 'This was removed meanwhile: choose another one' }],
  status: 409,
} as const;

function readPlace(query: URLSearchParams) {
  const back = parseNumber(query.get('back') ?? '') ?? undefined;
  // Only those with an account select items.
  return { list: readItemQuery(query, true), back };
}

/** Null if the kind or the field is not there any more. */
function toChange({ choice, value }: SetValue, { kinds, fields }: Definitions) {
  if (choice === 'kind') {
    const kind = kinds.find(({ id }) => String(id) === value) ?? null;
    if (kind === null && value !== null && value !== '') return null;
    const id = kind?.id ?? null;
    return {
      operation: { kind: 'set', field: 'Kind', to: kind?.name ?? '' } as const,
      apply: (item: ItemState): ItemState | null => ({ ...item, kind: id }),
    };
  }
  const field = fields.find(({ name }) => name === choice);
  if (field === undefined) return null;
  return {
    operation: { kind: 'set', field: field.label, to: showOwnValue(field, value ?? '') } as const,
    apply: (item: ItemState) => (hasField(item, field) ? withValue(item, field, value) : null),
  };
}

function hasField({ kind }: ItemState, { itemKind }: OwnField): boolean {
  return itemKind === null || itemKind === kind;
}

function withValue(item: ItemState, { id }: OwnField, value: SetValue['value']): ItemState {
  return { ...item, own: withoutEmpty({ ...item.own, [id]: value ?? '' }) };
}
