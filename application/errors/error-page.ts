/**
 * Error pages: what happened, what became of the input, what to do now. They return the typed text of a
 * form, except passwords, so that the user can copy it.
 */
import {
  type Failure,
  type FilledForm,
  type Href,
  type Html,
  html,
  type TypedText,
} from 'seeother';
import type { LogInFields } from '../accounts/account-forms.ts';
import { DRAFT_KEPT, logInFormMarkup } from '../accounts/account-pages.ts';
import { href } from '../links.ts';
import { formatNumber } from '../site/format.ts';
import { layout, mayChangeItems, type Viewer } from '../site/layout.ts';

export interface ErrorView extends Pick<Failure, 'status' | 'title' | 'message' | 'outcome'> {
  /** Words for the operator, for administrators only; null for everybody else. */
  readonly reason: string | null;
  /** The reference in the log, or null if the log says no more than the page. */
  readonly id: string | null;
  /** Whether the request was a form. */
  readonly isForm: boolean;
  readonly typed: readonly TypedText[];
  readonly viewer: Viewer;
  /** The log-in form, if the user should log in now; it carries a draft. */
  readonly logIn: FilledForm<LogInFields> | null;
  /** The same form with the same key, if it is safe and may help to send it again. */
  readonly again: SentForm | null;
}

/** A form as it was sent. */
export interface SentForm {
  readonly action: Href;
  readonly entries: readonly { readonly name: string; readonly text: string }[];
}

export function errorPage(view: ErrorView): Html {
  const { title } = view;
  return layout({
    title,
    viewer: view.viewer,
    main: html`<h1>${title}</h1>
<p>${view.message ?? 'We couldn’t load this page. It’s not your fault.'}</p>
${view.isForm ? html`<p>${view.outcome}</p>` : null}
${view.reason === null ? null : html`<p>You see this as an administrator: ${view.reason}</p>`}
${view.again === null ? null : tryAgain(view.again)}
${view.logIn === null || view.status !== 401 ? advice(view.status, view.isForm) : null}
${view.logIn === null ? null : logInAgain(view.logIn)}
${view.typed.length === 0 ? null : typedText(view.typed, (view.logIn?.text.draft ?? '') !== '')}
${view.id === null ? null : html`<p class="reference">Reference: <code>${view.id}</code></p>`}`,
  });
}

const ADVICE: Readonly<Record<number, readonly string[]>> = {
  400: ['Go back, reload the page, and send the form again.'],
  403: [
    'Open the form on this site, and send it from there.',
    'If you did so, tell the person who runs this site the reference below.',
  ],
  409: ['Follow the advice above, then send the form again.'],
  413: ['Shorten what you typed, or split it into several items.'],
  415: ['Use the form on the page.'],
  421: [
    'Open the site at its own address.',
    'If you don’t know it, ask the person who runs this site, and tell them the reference below.',
  ],
  429: ['Wait a little, then try again.'],
  500: [
    'Try again in a minute.',
    'If it happens again, tell the person who runs this site the reference below.',
  ],
  503: ['Try again in a minute.'],
};

function advice(status: number, isForm: boolean): Html {
  const steps = ADVICE[status] ?? [isForm ? 'Go back and try again.' : 'Check the address.'];
  // Under a wrong address, every link leads to this page again.
  const list = html`<li>Go to the <a href="${href('/items')}">list of items</a>.</li>\n`;
  return html`<h2>What you can do now</h2>
<ul>
${steps.map((step) => html`<li>${step}</li>\n`)}${status === 421 ? null : list}</ul>`;
}

function tryAgain({ action, entries }: SentForm): Html {
  return html`<form method="post" action="${action}">
${entries.map(({ name, text }) => html`<input type="hidden" name="${name}" value="${text}">\n`)}<button>Try again</button>
</form>`;
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

/** A 404 for somebody who has opened an address that no route has. */
export function unknownAddressPage(viewer: Viewer, path: string): Html {
  return layout({
    title: 'Page not found',
    viewer,
    main: html`<h1>Page not found</h1>
<p>There is nothing at the address <code>${path}</code>.</p>
<h2>What you can do now</h2>
<ul>
<li>Check the address, if you typed it.</li>
<li>Look in the <a href="${href('/items')}">list of items</a>.</li>
</ul>`,
  });
}

/** A 404 that names the missing thing. */
export function missingItemPage(
  viewer: Viewer,
  asked: string,
  range: { readonly lowest: number; readonly highest: number } | null,
  /** Whether there was an item with the number. */
  isGiven: boolean,
): Html {
  return layout({
    title: 'Item not found',
    viewer,
    main: html`<h1>Item not found</h1>
<p>${isGiven ? `Item ${asked} was deleted.` : `There is no item with the number ${asked} yet.`} ${range === null ? 'There are no items yet.' : `The items here have numbers from ${range.lowest} to ${range.highest}.`}</p>
<h2>What you can do now</h2>
<ul>
<li>Check the number in the address.</li>
<li>Look in the <a href="${href('/items')}">list of items</a>.</li>
${mayChangeItems(viewer) ? html`<li><a href="${href('/items/new')}">Add an item</a>.</li>\n` : null}</ul>`,
  });
}
