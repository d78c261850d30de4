/**
 * The error pages of a site that has none of its own: what happened, what became of the input, what to do
 * now. A refused form gives back the typed text, except passwords, so that the user can copy it. The frame
 * around it may be that of the site's other pages.
 */
import type { Context } from '../chain/context.ts';
import { isTyped } from '../form/field.ts';
import { allFields } from '../form/field-set.ts';
import { formOfRequest } from '../form/form-of.ts';
import { readEntries } from '../form/read-form.ts';
import { readTyped, type TypedText } from '../form/read-typed.ts';
import { acceptsHtml } from '../http/accepts-html.ts';
import { type Html, html } from '../http/html.ts';
import { toLocalPath } from '../http/local-path.ts';
import { isSafe } from '../http/request.ts';
import { page, type Response, text } from '../http/response.ts';
import type { Language } from '../language/language.ts';
import type { CatchOptions } from '../middleware/catch-errors.ts';
import { type Failure, textFor } from '../middleware/failure.ts';

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
  const { words } = request.state.language;
  const isForm = !isSafe(request);
  const reason = message ?? words.pageFailed;
  if (!isForm && !acceptsHtml(request))
    return text(`${title}: ${reason}\n${words.reference} ${id}\n`, status);
  const typed = isForm && failure.returnsTyped ? await readTyped(context) : [];
  const again = isForm && failure.returnsTyped ? await pressAgain(context) : null;
  const main = html`<p>${reason}</p>
${isForm ? html`<p>${failure.outcome}</p>\n` : null}<p>${textFor(status, words.advice)}</p>
${again}${typed.length === 0 ? null : typedText(typed, request.state.language)}${!failure.isInLog ? null : html`<p>${words.reference} <code>${id}</code></p>\n`}`;
  return page(layout(title, main, context), status);
}

function plainLayout(title: string, main: Html, { request }: Context): Html {
  const { code, direction } = request.state.language;
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

/** The button of another account's page, for the user to press it deliberately: it has no page of its own. */
async function pressAgain(context: Context): Promise<Html | null> {
  const { language, ownKey } = context.request.state;
  const definition = formOfRequest(context)?.definition ?? null;
  const action = toLocalPath(context.request.target);
  if (ownKey === null || action === null || definition === null) return null;
  if (allFields(definition).some((field) => isTyped(field))) return null;
  const entries = await readEntries(context);
  return html`<form method="post" action="${action}">
${entries.map(({ name, text }) => html`<input type="hidden" name="${name}" value="${name === '_once' ? ownKey : text}">\n`)}<button>${language.words.send}</button>
</form>
`;
}
