/**
 * The pages that lend several things at once, and take them back. The first field is for their numbers: a scanner types
 * one and presses Enter, which presses the first button of the form, and has the focus again on the next page.
 */
import {
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
} from 'seeother';
import { href, lendThingsAction, returnThingsAction } from '../../links.ts';
import { draftNotice } from '../../site/draft-notice.ts';
import { formatNumber, toDay } from '../../site/format.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { describeHere, describeLent, describeLoan } from '../events/event-text.ts';
import { suggestionList } from '../facets/suggestions.ts';
import type { Item } from '../item-rows.ts';
import { withDays } from '../lend/lend-form.ts';
import { backOf, type readThingsState } from '../lend/things.ts';
import { hereOf } from '../loan.ts';
import type { LendThingsFields, ReturnThingsFields } from './thing-forms.ts';

export interface ThingsView<F extends LendThingsFields | ReturnThingsFields> {
  readonly viewer: Viewer;
  readonly state: ReturnType<typeof readThingsState>;
  /** The items of the rows by number, unless there are none. */
  readonly found: ReadonlyMap<number, Item>;
  readonly form: FilledForm<F>;
  readonly isDraft: boolean;
  readonly now: Date;
}

export interface LendThingsView extends ThingsView<LendThingsFields> {
  /** Of borrowers, to suggest. */
  readonly names: readonly string[];
}

export function lendThingsPage(view: LendThingsView): Html {
  const { state, form: sent, names, now, found } = view;
  const form = withProblems(sent, state.typed, (row) => {
    const item = found.get(Number(row.number));
    if (item === undefined) return NO_ITEM;
    return hereOf(item) < Math.max(1, Number(row.quantity) || 1) ? describeHere(item) : null;
  });
  const { things } = form.text;
  const content = html`${numbersLine(form, state, '/items/lend')}
${thingList(things.map((row, at) => thing(view, form, { at, row, path: '/items/lend' }, lendParts(found.get(Number(row.number))))))}
${formField(form, 'to')}
${suggestionList('people', names)}
${formField(withDays(form, now), 'term')}
${formField(form, 'until')}
<div class="actions"><button>Lend</button> <a href="${backOf(state)}">Cancel</a></div>
`;
  const action = lendThingsAction(state, toDay(now));
  return frame(view, 'Lend things', formTag(form, content, { action, class: 'form' }));
}

export function returnThingsPage(view: ThingsView<ReturnThingsFields>): Html {
  const { state, form: sent, found } = view;
  const form = withProblems(sent, state.typed, (row) => {
    const item = found.get(Number(row.number));
    if (item === undefined) return NO_ITEM;
    return item.loans.length === 0 ? NOT_LENT : null;
  });
  const { things } = form.text;
  const content = html`${numbersLine(form, state, '/items/return')}
${thingList(things.map((row, at) => thing(view, form, { at, row, path: '/items/return' }, loanParts(form, at, found.get(Number(row.number))))))}
<div class="actions"><button>Return</button> <a href="${backOf(state)}">Cancel</a></div>
`;
  return frame(
    view,
    'Return things',
    formTag(form, content, { action: returnThingsAction(state), class: 'form' }),
  );
}

export const NO_ITEM = 'There is no item with this number, or it was deleted';
export const NOT_LENT = 'Nobody has it';

interface Row {
  readonly number: string;
  readonly name: string;
  readonly quantity: string;
}

/** With what is wrong in each row beside it, before the form is sent, too; and with the focus on the numbers. */
function withProblems<F extends LendThingsFields | ReturnThingsFields>(
  form: FilledForm<F>,
  typed: string,
  find: (row: Row) => string | null,
): FilledForm<F> {
  const { errors = [] } = form;
  const rows = (form.text as unknown as { readonly things: readonly Row[] }).things;
  const problems = rows.flatMap((row, at) => {
    const message = find(row);
    const field = `things.${at}.quantity`;
    return message === null || hasError(form, field) ? [] : [{ field, message }];
  });
  const unread = typed === '' ? [] : [{ field: 'numbers', message: `“${typed}” is no number` }];
  const added = [...unread, ...problems] as unknown as readonly FormError<F>[];
  const focus = errors.length === 0 ? { focus: 'numbers' } : {};
  return { ...form, ...focus, errors: [...errors, ...added] };
}

function frame<F extends LendThingsFields | ReturnThingsFields>(
  { viewer, state, form, isDraft }: ThingsView<F>,
  title: string,
  content: Html,
): Html {
  return layout({
    title: formTitle(`${title} – Items`, form),
    viewer,
    section: 'loans',
    main: html`${errorSummary(form)}
<p class="back"><a href="${backOf(state)}">← ${state.list === null ? 'Who has what' : 'Items'}</a></p>
<h1>${title}</h1>
${isDraft ? draftNotice(viewer) : null}
${content}`,
  });
}

type Path = '/items/lend' | '/items/return';

/** A button that changes only the page: see `takeStep`. */
function stepButton(path: Path, step: string, label: Html): Html {
  return html`<button class="quiet" formmethod="get" formaction="${href(path)}" name="step" value="${step}">${label}</button>`;
}

function numbersLine<F extends LendThingsFields | ReturnThingsFields>(
  form: FilledForm<F>,
  state: ThingsView<F>['state'],
  path: Path,
): Html {
  const place = { held: state.held, list: state.list };
  const hidden = Object.entries(place).filter(([, text]) => text !== null);
  return html`${hidden.map(([name, text]) => html`<input type="hidden" name="${name}" value="${text}">`)}
<div class="numbers">${formField(form, 'numbers' as never)}${stepButton(path, 'add', html`Add`)}</div>`;
}

function thingList(rows: readonly Html[]): Html {
  if (rows.length === 0) return html`<p class="empty">Nothing added yet.</p>`;
  return html`<ul class="records things">\n${rows}</ul>`;
}

interface ThingRow {
  readonly at: number;
  readonly row: Row;
  readonly path: Path;
}

interface RowParts {
  /** Below the name. */
  readonly about: Html | null;
  /** Whether it makes sense to ask how many. */
  readonly asks: boolean;
}

function thing<F extends LendThingsFields | ReturnThingsFields>(
  { found, state }: ThingsView<F>,
  form: FilledForm<F>,
  { at, row, path }: ThingRow,
  { about, asks }: RowParts,
): Html {
  const number = Number(row.number);
  const item = found.get(number);
  const again = state.again.includes(number) ? 'It was in the list already' : '';
  const details = [item === undefined ? '' : aboutItem(item), again].filter((text) => text !== '');
  const field = `things.${at}.quantity`;
  const error = form.errors?.find((one) => one.field === field)?.message;
  const hidden = (name: string) => formField(form, `things.${at}.${name}` as never);
  return html`<li>
<div>
<p>${item === undefined ? null : html`${item.name} `}<span class="count">No. ${row.number}</span></p>
${details.length === 0 ? null : html`<p class="details">${details.join(' · ')}</p>\n`}${asks || error === undefined ? null : html`<p class="field-error" id="${field}" tabindex="-1"><span class="visually-hidden">Error:</span> ${error}</p>\n`}${about}${hidden('number')}${hidden('name')}</div>
${asks ? formField(form, field as never) : html`<input type="hidden" name="${field}" value="${row.quantity}">`}
${stepButton(path, `remove ${at}`, html`Remove<span class="visually-hidden"> ${row.name}</span>`)}
</li>
`;
}

function aboutItem(item: Item): string {
  const { location, quantity, loans } = item;
  const here = hereOf(item);
  const part = `${formatNumber(here)} of ${formatNumber(quantity)} ${here === 1 ? 'is' : 'are'} here`;
  return [location, quantity > 1 ? part : loans.length > 0 ? describeLent(item) : '']
    .filter((text) => text !== '')
    .join(' · ');
}

/** How many is only asked for a thing of which there are several, and some are here. */
function lendParts(item: Item | undefined): RowParts {
  return { about: null, asks: item !== undefined && item.quantity > 1 && hereOf(item) > 0 };
}

/** Which loan is ended, if there are several, and how many come back, if not one was lent. */
function loanParts(
  form: FilledForm<ReturnThingsFields>,
  at: number,
  item: Item | undefined,
): RowParts {
  const { loan: typed } = form.text.things[at] ?? { loan: '' };
  const loans = item?.loans ?? [];
  const path = `things.${at}.loan`;
  const chosen = loans.find((loan) => loan.at === typed) ?? (loans.length === 1 ? loans[0] : null);
  const asks = (chosen ? [chosen] : loans).some(({ quantity }) => quantity > 1);
  if (chosen || loans.length === 0)
    return {
      asks,
      about: html`<input type="hidden" name="${path}" value="${chosen ? chosen.at : typed}">${chosen ? html`<p class="details">${describeLoan(chosen)}</p>\n` : null}`,
    };
  return {
    asks,
    about: html`<fieldset class="field radio">
<legend>Who returns it?</legend>
${loans.map((loan, of) => html`<div class="choice"><input type="radio" id="${path}-${of}" name="${path}" value="${loan.at}"><label for="${path}-${of}">${describeLoan(loan)}</label></div>\n`)}</fieldset>`,
  };
}

function hasError<F extends LendThingsFields | ReturnThingsFields>(
  { errors = [] }: FilledForm<F>,
  path: string,
): boolean {
  return errors.some(({ field }) => field === path);
}
