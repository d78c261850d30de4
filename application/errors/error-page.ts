/**
 * Error pages: what happened, what became of the input, what to do now. They return the typed text of a
 * form, except passwords, so that the user can copy it.
 */
import { type Html, html, type TypedText } from 'seeother';
import type { Failure } from 'seeother/middleware';
import { href } from '../links.ts';
import { layout, type Viewer } from '../site/layout.ts';
import { typedText } from '../site/typed-text.ts';

export interface ErrorView extends Pick<Failure, 'status' | 'title' | 'message' | 'outcome'> {
  /** Words for the operator, for administrators only; null for everybody else. */
  readonly reason: string | null;
  /** The reference in the log, or null if the log says no more than the page. */
  readonly id: string | null;
  /** Whether the request was a form. */
  readonly isForm: boolean;
  readonly typed: readonly TypedText[];
  readonly viewer: Viewer;
  /** The log-in form, if the user should log in now. */
  readonly logIn: Html | null;
  /** Whether it carries what was typed. */
  readonly keepsDraft: boolean;
  /** The same form with the same key, if it is safe and may help to send it again. */
  readonly again: Html | null;
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
${view.again}
${view.logIn === null || view.status !== 401 ? advice(view.status, view.isForm) : null}
${view.logIn}
${view.typed.length === 0 ? null : typedText(view.typed, view.keepsDraft)}
${view.id === null ? null : html`<p class="reference">Reference: <code>${view.id}</code></p>`}`,
  });
}

type Advice = Readonly<Record<number, readonly string[]>>;

const ADVICE_ON_FORMS: Advice = {
  400: ['Go back, reload the page, and send the form again.'],
  403: [
    'Open the form on this site, and send it from there.',
    'If you did so, tell the person who runs this site the reference below.',
  ],
  409: ['Follow the advice above, then send the form again.'],
  413: ['Shorten what you typed, or split it into several items.'],
  415: ['Use the form on the page.'],
};

const ADVICE: Advice = {
  403: ['Ask an administrator of this site.'],
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
  const steps = (isForm ? ADVICE_ON_FORMS[status] : undefined) ??
    ADVICE[status] ?? [isForm ? 'Go back and try again.' : 'Check the address.'];
  // Under a wrong address, every link leads to this page again.
  const list = html`<li>Go to the <a href="${href('/items')}">list of items</a>.</li>\n`;
  return html`<h2>What you can do now</h2>
<ul>
${steps.map((step) => html`<li>${step}</li>\n`)}${status === 421 ? null : list}</ul>`;
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
