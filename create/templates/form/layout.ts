/** The frame of every page. `html` escapes each value that is put into it. */
import { type AnyFilledForm, formTitle, type Html, html, type SessionContext } from 'seeother';

/** A page with a form passes it, too. */
export type Visitor = SessionContext & { readonly form?: AnyFilledForm };

export function layout(title: string, main: Html, visitor: Visitor): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${visitor.flash && `${visitor.flash} – `}${formTitle(title, visitor.form)}</title>
<link rel="stylesheet" href="/styles.css">
</head>
<body>
<main>
<h1>${title}</h1>
${visitor.flash && html`<p role="status" tabindex="-1" autofocus>${visitor.flash}</p>`}
${main}
</main>
</body>
</html>
`;
}
