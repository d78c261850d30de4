/**
 * Error pages: what happened, what became of the input, what to do now. They return the typed text of a
 * form, except passwords, so that the user can copy it.
 */
import { type FilledForm, type Html, html, type TypedText } from 'seeother';
import type { LogInFields } from '../accounts/account-forms.ts';
import { DRAFT_KEPT, logInFormMarkup } from '../accounts/account-pages.ts';
import { href } from '../links.ts';
import { formatNumber } from './format.ts';
import { layout, mayChangeItems, type Viewer } from './layout.ts';

export interface ErrorView {
  readonly status: number;
  /** What happened, or null for an error of the application. */
  readonly message: string | null;
  /** Whether the sent data may have been saved despite the error. */
  readonly mayBeSaved: boolean;
  /** The reference in the log, or null if the log has none. */
  readonly id: string | null;
  /** Whether the request was a form. */
  readonly isForm: boolean;
  readonly typed: readonly TypedText[];
  readonly viewer: Viewer;
  /** The log-in form, if the user should log in now; it carries a draft. */
  readonly logIn: FilledForm<LogInFields> | null;
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'We couldn’t read that request',
  401: 'Log in to continue',
  403: 'You can’t do that from here',
  404: 'Page not found',
  409: 'That is not possible now',
  413: 'That is too big',
  415: 'That is not a form',
  421: 'This is not the address of this site',
  429: 'Too many attempts',
  503: 'We can’t do that right now',
};

const OUR_FAULT = 'Something went wrong on our side';

export function errorPage(view: ErrorView): Html {
  const title = TITLES[view.status] ?? OUR_FAULT;
  return layout({
    title,
    viewer: view.viewer,
    main: html`<h1>${title}</h1>
<p>${view.message ?? 'We couldn’t load this page. It’s not your fault.'}</p>
${view.isForm ? html`<p>${fateOf(view)}</p>` : null}
${view.logIn === null || view.status !== 401 ? advice(view.status, view.isForm) : null}
${view.logIn === null ? null : logInAgain(view.logIn)}
${view.typed.length === 0 ? null : typedText(view.typed, (view.logIn?.text.draft ?? '') !== '')}
${view.id === null ? null : html`<p class="reference">Reference: <code>${view.id}</code></p>`}`,
  });
}

function fateOf({ status, mayBeSaved }: ErrorView): string {
  if (mayBeSaved && status === 503)
    return 'We don’t know whether it was saved. Go back and send the same form again: it is saved only once.';
  if (mayBeSaved) return 'What you sent may not have been saved. Check before you send it again.';
  return 'Nothing was saved or changed.';
}

const ADVICE: Readonly<Record<number, readonly string[]>> = {
  400: ['Go back, reload the page, and send the form again.'],
  403: ['Open the form on this site, and send it from there.'],
  409: ['Follow the advice above, then send the form again.'],
  413: ['Shorten what you typed, or split it into several items.'],
  415: ['Use the form on the page.'],
  429: ['Wait a little, then try again.'],
  500: [
    'Try again in a minute.',
    'If it happens again, tell the person who runs this site the reference below.',
  ],
  503: ['Try again in a minute.'],
};

function advice(status: number, isForm: boolean): Html {
  const steps = ADVICE[status] ?? [isForm ? 'Go back and try again.' : 'Check the address.'];
  return html`<h2>What you can do now</h2>
<ul>
${steps.map((step) => html`<li>${step}</li>\n`)}<li>Go to the <a href="${href('/items')}">list of items</a>.</li>
</ul>`;
}

function logInAgain(form: FilledForm<LogInFields>): Html {
  return html`${form.text.draft === '' ? null : DRAFT_KEPT}
${logInFormMarkup(form, [])}`;
}

/** The text to copy; collapsed if the form brings it back by itself. */
export function typedText(typed: readonly TypedText[], comesBack: boolean): Html {
  const isTruncated = typed.some(({ text, length }) => text.length < length);
  const list = html`${isTruncated ? CUT : null}<dl class="typed">
${typed.map((one) => html`<div><dt>${labelOf(one)}</dt><dd>${one.text}</dd></div>\n`)}</dl>`;
  if (comesBack) {
    return html`<details>
<summary>What you typed</summary>
${list}
</details>`;
  }
  return html`<h2>What you typed</h2>
<p>It is here so that you can copy it.</p>
${list}`;
}

const CUT = html`<p>Long text is shown in part. Your browser’s Back button may lead to the whole form.</p>\n`;

function labelOf({ label, text, length }: TypedText): string {
  if (text.length === length) return label;
  return `${label}, the first ${formatNumber(text.length)} of ${formatNumber(length)} characters`;
}

/** A 404 that names the missing thing. */
export function missingItemPage(
  viewer: Viewer,
  asked: string,
  range: { readonly lowest: number; readonly highest: number } | null,
): Html {
  return layout({
    title: 'Item not found',
    viewer,
    main: html`<h1>Item not found</h1>
<p>There is no item with the number ${asked}. ${range === null ? 'There are no items yet.' : `The items here have numbers from ${range.lowest} to ${range.highest}.`}</p>
<h2>What you can do now</h2>
<ul>
<li>Check the number in the address.</li>
<li>Look in the <a href="${href('/items')}">list of items</a>.</li>
${mayChangeItems(viewer) ? html`<li><a href="${href('/items/new')}">Add an item</a>.</li>\n` : null}</ul>`,
  });
}
