/** The forms to lend an item, and to end its loan; and the fields of each form that lends. */
import { defineForm, type FilledForm, type FormError, type FormValues } from 'seeother';
import { choiceField, dateField, hiddenField, textField, wholeNumberField } from 'seeother/fields';
import { formatDate, formatNumber, fromDay, toDay } from '../../site/format.ts';
import { MAX_QUANTITY } from '../item-limits.ts';
import { hereOf, type Lendable } from '../loan.ts';

export const ENTER_BORROWER = 'Enter who has it';

export const borrowerField = {
  label: 'Who has it',
  maxLength: 120,
  attributes: { list: 'people', autocomplete: 'off' },
} as const;

/** Their labels on a page say until which day: see `withDays`. */
const TERMS = [
  { value: 'week', label: 'A week' },
  { value: 'two weeks', label: 'Two weeks' },
  { value: 'month', label: 'A month' },
] as const;
type Term = (typeof TERMS)[number]['value'];

export const dueFields = {
  term: choiceField({ label: 'For how long', choices: TERMS }),
  until: dateField({ label: 'Until' }),
};

export const quantityField = {
  label: 'How many',
  min: 1,
  max: MAX_QUANTITY,
  attributes: { autocomplete: 'off' },
} as const;

export const lendForm = defineForm({
  to: textField({
    ...borrowerField,
    hint: 'Someone in the team, or any other name.',
    required: ENTER_BORROWER,
  }),
  /** Only asked for an item of which there are several. Without it, one is lent. */
  quantity: wholeNumberField({ ...quantityField, default: 1 }),
  term: dueFields.term,
  until: dateField({
    label: 'Until',
    hint: 'Or the last day. After that, the list shows the item as overdue.',
  }),
});

export const returnForm = defineForm({
  /** When the loan began that the form ends. */
  lent: hiddenField(),
  /** How many come back: all by default. The page to lend has this form too, so the name is one of its own. */
  part: wholeNumberField({ ...quantityField, default: null }),
});

export type LendFields = typeof lendForm.fields;
export type ReturnFields = typeof returnForm.fields;

/** The form for an item, which says how many are here. */
export function forItem(form: FilledForm<LendFields>, item: Lendable): FilledForm<LendFields> {
  const { definition } = form;
  const { quantity } = definition.fields;
  const here = hereOf(item);
  const hint = `${formatNumber(here)} of ${formatNumber(item.quantity)} ${here === 1 ? 'is' : 'are'} here.`;
  const fields = { ...definition.fields, quantity: { ...quantity, hint } };
  return { ...form, definition: { ...definition, fields } };
}

/** The form, with the day in each choice of a time. */
export function withDays<F extends typeof dueFields>(
  form: FilledForm<F>,
  now: Date,
): FilledForm<F> {
  const { definition } = form;
  const { term } = definition.fields;
  const choices = TERMS.map(({ value, label }) => {
    const last = fromDay(lastDayOf(value, toDay(now)));
    return { value, label: `${label}, until ${formatDate(last, now)}` };
  });
  const fields = { ...definition.fields, term: { ...term, choices } };
  return { ...form, definition: { ...definition, fields } };
}

/** A month from 31 January is 28 February. */
function lastDayOf(term: Term, first: string): string {
  const last = fromDay(first);
  if (term !== 'month') {
    last.setDate(last.getDate() + (term === 'week' ? 7 : 14));
    return toDay(last);
  }
  const day = last.getDate();
  last.setMonth(last.getMonth() + 1);
  if (last.getDate() !== day) last.setDate(0);
  return toDay(last);
}

/** The last day of a loan; null without one. The choices of a page begin on its day. */
export function readLastDay(
  { term, until }: Pick<FormValues<LendFields>, 'term' | 'until'>,
  pageDay: string,
  now: Date,
): { readonly until: string | null } | { readonly error: FormError<typeof dueFields> } {
  const chosen = term === '' ? null : lastDayOf(term, pageDay);
  if (chosen !== null && until !== null && chosen !== until)
    return { error: { field: 'until', message: 'Choose for how long, or a day, and not both' } };
  const last = until ?? chosen;
  if (last === null || last >= toDay(now)) return { until: last };
  const field = until === null ? 'term' : 'until';
  return { error: { field, message: 'Choose today or a later day' } };
}

/** The day on which the page of the form was made: its address has it. Today, if that is missing or wrong. */
export function readPageDay(query: URLSearchParams, now: Date): string {
  const today = toDay(now);
  const day = query.get('day') ?? '';
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && toDay(fromDay(day)) === day;
  return isDay && day < today ? day : today;
}
