/** The forms to change the quantity of an item: on the page of the item, and on a page of their own after an error. */
import {
  blankForm,
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTitle,
  type Html,
  html,
  onceField,
} from 'seeother';
import { action, itemHref, type ListPlace, toPlace } from '../../links.ts';
import { formatNumber } from '../../site/format.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { describeLent } from '../events/event-text.ts';
import type { Item } from '../item-rows.ts';
import { type QuantityFields, quantityForm } from './quantity-form.ts';

export interface QuantityView {
  readonly viewer: Viewer;
  readonly item: Item;
  readonly place: ListPlace;
  readonly form: FilledForm<QuantityFields>;
  readonly errors: readonly FormError<QuantityFields>[];
}

export function quantityPage({ viewer, item, place, form }: QuantityView): Html {
  const { number, name, quantity, loans } = item;
  return layout({
    title: formTitle(`Quantity of ${name} – Items`, form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${itemHref(number, place)}">← ${name}</a></p>
<h1>Quantity of ${name}</h1>
<p>Quantity now: <strong>${formatNumber(quantity)}</strong>. <a href="${itemHref(number, place)}">Leave it at ${formatNumber(quantity)}</a>${loans.length === 0 ? null : ` ${describeLent(item)}.`}</p>
${formElement(item, place, form, fieldsOf(form))}`,
  });
}

type ItemOfBox = Omit<Item, 'loans'>;

/** The quantity with the forms to change it, empty and folded up, for the page of the item. */
export function quantityBox(
  item: ItemOfBox,
  place: ListPlace,
  key: Pick<FilledForm<QuantityFields>, 'once'>,
): Html {
  const { quantity } = item;
  return html`<section class="quantity" aria-label="Quantity">
<p>Quantity <strong>${formatNumber(quantity)}</strong></p>
<form method="post" action="${targetOf(item, place)}" data-in-place>${onceField(key)}<button class="quiet" name="button" value="less" aria-label="Take one">−</button> <button class="quiet" name="button" value="more" aria-label="Add one">+</button></form>
<details><summary>Change<span class="rest"> the quantity</span></summary>
${formElement(item, place, { ...BLANK, ...key }, BLANK_FIELDS)}
</details>
</section>`;
}

function formElement(
  item: ItemOfBox,
  place: ListPlace,
  form: FilledForm<QuantityFields>,
  fields: Html,
): Html {
  const seen = String(item.quantity);
  return html`<form class="form" method="post" action="${targetOf(item, place)}" novalidate>
${onceField({ ...form, text: { ...form.text, seen } })}<input type="hidden" name="seen" value="${seen}">
${fields}
</form>`;
}

/** A POST to the page's own address would remove it from the browser's cache, which Back needs. */
function targetOf({ number }: ItemOfBox, place: ListPlace) {
  return action('/items/:number<int>/quantity', { number }, { send: '', ...toPlace(place) });
}

function fieldsOf(form: FilledForm<QuantityFields>): Html {
  return html`${formField(form, 'amount')}
${formField(form, 'reason')}
<div class="actions"><button class="quiet" name="button" value="take">Take</button> <button class="quiet" name="button" value="add">Add</button> <button class="quiet" name="button" value="set">Set to</button></div>`;
}

/** Rendered once, because the page of an item is requested often. */
const BLANK = blankForm(quantityForm);
const BLANK_FIELDS = fieldsOf(BLANK);
