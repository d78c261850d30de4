/** Puts kinds and fields into another order: of equal places, what came first stays first. */
import { formField, html } from 'seeother';
import { action } from '../../links.ts';
import {
  changeDefinitions,
  type DefinitionEdit,
  type DefinitionTable,
  readLocked,
} from '../../own-fields/change-definitions.ts';
import type { Definitions, OwnField } from '../../own-fields/definitions.ts';
import { formHandlers } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import type { Items } from '../item.ts';
import { answerChange, definitionPage } from './definition-page.ts';
import { orderForm } from './order-form.ts';

export function createOrderController(items: Pick<Items, 'definitions'>) {
  const orderFields = formHandlers(orderForm, {
    name: 'orderFields',
    async fill() {
      const known = await items.definitions.read();
      const { kinds, fields } = known;
      return {
        kinds: kinds.map(({ id, name }, at) => toRow(id, name, at)),
        fields: fields.map((field, at) => toRow(field.id, nameField(field, known), at)),
      };
    },
    show: ({ form, ...context }) =>
      definitionPage({
        ...{ viewer: toViewer(context), form, title: 'Order of kinds and fields' },
        about: html`<p>Forms, pages and files have them in the order of these numbers.</p>\n`,
        fields: html`${form.text.kinds.length === 0 ? null : formField(form, 'kinds')}
${form.text.fields.length === 0 ? null : formField(form, 'fields')}`,
        button: 'Save order',
        action: action('/fields/order', {}, { send: '' }),
      }),
    async send({ transaction, session, values }) {
      const locked = await readLocked(transaction);
      const edits = [
        ...toEdits('item_kinds', values.kinds, locked.kinds),
        ...toEdits('own_fields', values.fields, locked.fields),
      ];
      const by = { author: session.user.id, kind: 'ordered' } as const;
      const change = await changeDefinitions(transaction, edits, by);
      return answerChange(change, 'The order was changed.', 'The order was not changed.');
    },
  });
  return { orderFields };
}

function toRow(id: number, title: string, at: number) {
  return { id: String(id), title, place: String((at + 1) * 10) };
}

function nameField({ label, itemKind }: OwnField, { allKinds }: Definitions): string {
  const kind = itemKind === null ? undefined : allKinds.get(itemKind);
  return kind === undefined ? label : `${label} (${kind.name})`;
}

/** What was added since the form was opened stays last. */
function toEdits(
  table: DefinitionTable,
  typed: readonly { readonly id: string; readonly place: number | null }[],
  known: readonly { readonly id: number }[],
): readonly DefinitionEdit[] {
  const places = new Map(typed.map(({ id, place }) => [Number(id), place ?? 0]));
  const placeOf = ({ id }: { readonly id: number }) => places.get(id) ?? Number.MAX_SAFE_INTEGER;
  return known
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map(({ id }, position) => ({ table, id, set: { position: position + 1 } }));
}
