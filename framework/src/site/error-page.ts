/**
 * The error pages of a site that has none of its own: what happened, what became of the input, what to do now. A
 * refused form gives back the typed text, except passwords, so that the user can copy it, and what carries it on: the
 * way through the log-in, or a button that sends it again. The frame around it may be that of the site's other pages.
 */

import type { Context } from '../chain/context.ts';
import { againForm, readAgain } from '../form/read-again.ts';
import { readTyped, type TypedText } from '../form/read-typed.ts';
import { acceptsHtml } from '../http/accepts-html.ts';
import { type Html, html } from '../http/html.ts';
import { isSafe } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import { page, type Response, text } from '../http/response.ts';
import type { Language } from '../language/language.ts';
import type { CatchOptions } from '../middleware/catch-errors.ts';
import { type Failure, textFor } from '../middleware/failure.ts';
import { logInSlot } from '../session/require-session.ts';
import { parkDraft } from './park-draft.ts';

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
  const { words } = languageOf(request);
  const isForm = !isSafe(request);
  const reason = message ?? words.pageFailed;
  if (!isForm && !acceptsHtml(request))
    return text(`${title}: ${reason}\n${words.reference} ${id}\n`, status);
  const { label } = logInSlot.of(request);
  const logIn = status === 401 || label !== null ? await parkDraft(context) : null;
  const again = isForm && failure.mayHelpAgain ? await readAgain(context) : null;
  const typed = isForm && failure.returnsTyped ? await readTyped(context) : [];
  const advice =
    logIn === null
      ? failure.isCrossOrigin && status === 403
        ? words.crossOriginAdvice
        : textFor(status, words.advice)
      : html`<a href="${logIn.path}">${label === null ? words.logIn : label(languageOf(request))}</a>. ${logIn.isFilled ? words.filledAfterLogIn : label === null ? words.advice[401] : null}`;
  const main = html`<p>${reason}</p>
${isForm ? html`<p>${failure.outcome}</p>\n` : null}<p>${advice}</p>
${again === null ? null : html`${againForm(again, languageOf(request))}\n`}${typed.length === 0 ? null : typedText(typed, languageOf(request))}${!failure.isInLog ? null : html`<p>${words.reference} <code>${id}</code></p>\n`}`;
  return page(layout(title, main, context), status);
}

function plainLayout(title: string, main: Html, { request }: Context): Html {
  const { code, direction } = languageOf(request);
  return html`<!doctype html>
<html lang="${code}" dir="${direction}">
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

function typedText(typed: readonly TypedText[], { words }: Language): Html {
  const terms = typed.map(({ label, text, length }) => {
    const term = text.length < length ? words.beginningOf(label) : label;
    return html`<dt>${term}</dt>\n<dd>${text}</dd>\n`;
  });
  return html`<h2>${words.whatYouTyped}</h2>
<dl>
${terms}</dl>
`;
}
