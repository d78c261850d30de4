/** The form to take or add some of an item: on the page of the item, and on its own page after an error. */
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
import type { Item } from '../item-rows.ts';
import { type QuantityFields, quantityForm } from './quantity-form.ts';

export interface QuantityView {
  readonly viewer: Viewer;
  readonly item: Item;
  readonly place: ListPlace;
  readonly form: FilledForm<QuantityFields>;
  readonly errors: readonly FormError<QuantityFields>[];
}

export function quantityPage({ viewer, item, place, form, errors }: QuantityView): Html {
  const { number, name, quantity } = item;
  return layout({
    title: formTitle(`Take or add ${name} – Items`, errors),
    viewer,
    section: 'items',
    main: html`${errorSummary(errors)}
<p class="back"><a href="${itemHref(number, place)}">← ${name}</a></p>
<h1>Take or add ${name}</h1>
<p>Quantity now: <strong>${formatNumber(quantity)}</strong></p>
${formElement({ number, place, once: html`${onceField(form)}` }, fieldsOf(form, errors))}`,
  });
}

/** The empty form, for the page of an item. */
export function blankQuantityForm(form: QuantityForm): Html {
  return formElement(form, BLANK_FIELDS);
}

interface QuantityForm {
  readonly number: number;
  /** The list that the item's page leads back to. */
  readonly place: ListPlace;
  readonly once: Html;
}

function formElement({ number, place, once }: QuantityForm, fields: Html): Html {
  // A POST to the page's own address would remove it from the browser's cache, which Back needs.
  const query = { send: '', ...toPlace(place) };
  const target = action('/items/:number<int>/quantity', { number }, query);
  return html`<form class="form" method="post" action="${target}" novalidate>
${once}
${fields}
</form>`;
}

function fieldsOf(
  form: FilledForm<QuantityFields>,
  errors: readonly FormError<QuantityFields>[],
): Html {
  return html`${formField(form, 'amount', errors)}
${formField(form, 'reason', errors)}
<div class="actions"><button class="quiet" name="button" value="take">Take</button> <button class="quiet" name="button" value="add">Add</button></div>`;
}

/** Rendered once, because the page of an item is requested often. */
const BLANK_FIELDS = fieldsOf(blankForm(quantityForm), []);
