/** The frame of every page. `html` escapes each value that is put into it. */
import {
  type AnyFilledForm,
  type Context,
  formTitle,
  type Html,
  html,
  type SessionContext,
} from 'seeother';

/** What a page passes. An error may come before the session is known. */
export type Visitor = Context & Partial<SessionContext> & { readonly form?: AnyFilledForm };

export function layout(title: string, main: Html, { flash, form }: Visitor): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${flash && `${flash} – `}${formTitle(title, form)}</title>
<link rel="stylesheet" href="/styles.css">
<link rel="stylesheet" href="/list.css">
</head>
<body>
<nav>
<a href="/things">«Things»</a>
</nav>
<main>
<h1>${title}</h1>
${flash && html`<p role="status" tabindex="-1" autofocus>${flash}</p>`}
${main}
</main>
</body>
</html>
`;
}
