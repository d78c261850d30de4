/** The frame of every page. `html` escapes each value that is put into it. */
import {
  type AnyFilledForm,
  type Context,
  formTitle,
  type Html,
  html,
  type SessionContext,
} from 'seeother';
import type { AccountUser } from 'seeother/accounts';
import { action, href } from './links.ts';

/** What a page passes. An error may come before the session is known. */
export type Visitor = Context &
  Partial<SessionContext<AccountUser>> & { readonly form?: AnyFilledForm };

export function layout(title: string, main: Html, { flash, form, session }: Visitor): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${flash && `${flash} – `}${formTitle(title, form)}</title>
<link rel="stylesheet" href="/styles.css">
</head>
<body>
<nav>
<a href="${href('/')}">Items</a>
${session === undefined ? null : toAccount(session?.user)}
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

function toAccount(user: AccountUser | undefined): Html {
  if (user === undefined) return html`<a href="${href('/login')}">Log in</a>`;
  return html`${user.role === 'admin' && html`<a href="${href('/people')}">People</a>`}
<form method="post" action="${action('/logout')}">
<a href="${href('/account')}">${user.name}</a> <button>Log out</button>
</form>`;
}
