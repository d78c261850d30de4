/** The frame of every page. `html` escapes each value that is put into it. */
import { type AnyFilledForm, formTitle, type Html, html, type SessionContext } from 'seeother';
import { action, href } from './links.ts';

/** A page with a form passes it, too. */
type Visitor = SessionContext & { readonly form?: AnyFilledForm };

/** An error page passes no visitor: an error may come before the session is known. */
export function layout(title: string, visitor: Visitor | null, main: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${visitor?.flash && `${visitor?.flash} – `}${formTitle(title, visitor?.form)}</title>
<link rel="stylesheet" href="/styles.css">
</head>
<body>
<nav>
<a href="${href('/')}">Items</a>
${visitor === null ? null : toAccount(visitor)}
</nav>
<main>
<h1>${title}</h1>
${visitor?.flash && html`<p role="status" tabindex="-1" autofocus>${visitor?.flash}</p>`}
${main}
</main>
</body>
</html>
`;
}

function toAccount({ session }: SessionContext): Html {
  return session === null
    ? html`<a href="${href('/login')}">Log in</a>`
    : html`<form method="post" action="${action('/logout')}">
${session.user.name} <button>Log out</button>
</form>`;
}
