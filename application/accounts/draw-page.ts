/** A page of accounts in the layout of the site. */
import { formTitle, type Html, html } from 'seeother';
import type { AccountContext } from 'seeother/accounts';
import type { KyselyTransaction } from '../database/kysely.ts';
import type { Role } from '../settings/role.ts';
import { layout, type Page, toViewer } from '../site/layout.ts';
import type { Chosen } from '../site/session-user.ts';

export function drawPage(
  title: string,
  main: Html,
  context: AccountContext<KyselyTransaction, Role, Chosen>,
): Html {
  const { flash, form, request } = context;
  return layout({
    title: formTitle(title, form),
    viewer: toViewer(context),
    notice: flash,
    ...sectionOf(request.path),
    main: html`<div class="account-page">
<h1>${title}</h1>
${main}</div>`,
  });
}

const SECTIONS = { '/login': 'log in', '/account': 'account', '/people': 'people' } as const;

function sectionOf(path: string): Pick<Page, 'section'> {
  const found = Object.entries(SECTIONS).find(([start]) => path.startsWith(start));
  return found === undefined ? {} : { section: found[1] };
}
