/**
 * The error pages of a site that has none of its own: what happened, what became of the input, what to do
 * now. A refused form gives back the typed text, except passwords, so that the user can copy it. The frame
 * around it may be that of the site's other pages.
 */
import type { Context } from '../chain/context.ts';
import { readTyped, type TypedText } from '../form/read-typed.ts';
import { acceptsHtml } from '../http/accepts-html.ts';
import { type Html, html } from '../http/html.ts';
import { isSafe } from '../http/request.ts';
import { page, type Response, text } from '../http/response.ts';
import type { CatchOptions } from '../middleware/catch-errors.ts';
import type { Failure } from '../middleware/failure.ts';

const ADVICE: Readonly<Record<number, string>> = {
  400: 'Go back, reload the page, and send the form again.',
  401: 'Log in, then send the form again.',
  403: 'Open the form on this site, and send it from there.',
  404: 'Check the address.',
  413: 'Shorten what you typed.',
  415: 'Use the form on the page.',
  421: 'Check the address.',
  429: 'Wait a little, then try again.',
};

/** The frame of the error pages. `main` has no heading of its own. */
export type ErrorLayout = (title: string, main: Html, context: Context) => Html;

export function createFailurePage(layout: ErrorLayout = plainLayout): CatchOptions['page'] {
  return (failure, context) => showFailure(failure, context, layout);
}

/** A program that names what it accepts, and no HTML among it, gets plain text. */
async function showFailure(
  failure: Failure,
  context: Context,
  layout: ErrorLayout,
): Promise<Response> {
  const { status, title, message, id } = failure;
  const { request } = context;
  const isForm = !isSafe(request);
  const reason = message ?? 'We couldn’t load this page. It’s not your fault.';
  if (!isForm && !acceptsHtml(request))
    return text(`${title}: ${reason}\nReference: ${id}\n`, status);
  const typed = isForm && failure.returnsTyped ? await readTyped(context) : [];
  const main = html`<p>${reason}</p>
${isForm ? html`<p>${failure.outcome}</p>\n` : null}<p>${ADVICE[status] ?? 'Try again in a minute.'}</p>
${typed.length === 0 ? null : typedText(typed)}${!failure.isInLog ? null : html`<p>Reference: <code>${id}</code></p>\n`}`;
  return page(layout(title, main, context), status);
}

function plainLayout(title: string, main: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
${main}</main>
</body>
</html>
`;
}

function typedText(typed: readonly TypedText[]): Html {
  return html`<h2>What you typed</h2>
<dl>
${typed.map(({ label, text, length }) => html`<dt>${text.length < length ? `${label} (the beginning)` : label}</dt>\n<dd>${text}</dd>\n`)}</dl>
`;
}
