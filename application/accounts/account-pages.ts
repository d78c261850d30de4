/** What the pages of accounts say here, besides what they say everywhere. */
import { type Html, html } from 'seeother';
import type { AccountOptions } from 'seeother/accounts';
import type { Database, KyselyTransaction } from '../database/kysely.ts';
import { heldHref, href, itemHref } from '../links.ts';
import { findAddress } from '../mail/due-mails.ts';
import { mailLine } from '../mail/mail-pages.ts';
import { toCommand } from '../settings/command.ts';
import type { Readers } from '../settings/config.ts';
import { describeReaders } from '../settings/readers.ts';
import type { Role } from '../settings/role.ts';
import { formatCount } from '../site/format.ts';
import type { Chosen } from '../site/session-user.ts';
import { drawPage } from './draw-page.ts';

/** An item that somebody has borrowed. */
interface Held {
  readonly number: number;
  readonly name: string;
}

export interface AccountPageParts {
  readonly readers: Readers;
  /** What people with these names have borrowed. */
  readonly findHeld: (names: readonly string[]) => Promise<{ readonly items: readonly Held[] }>;
  /** Null where no mail server is set up: then the page of the account shows nothing of mails about loans. */
  readonly mails: Pick<Database, 'read'> | null;
}

type Pages = NonNullable<AccountOptions<KyselyTransaction, Role, Chosen>['pages']>;

/** Once: to read the environment for each page takes a tenth of its time. */
const NEW_PASSWORD = toCommand('account password');

export function createAccountPages({ readers, findHeld, mails }: AccountPageParts): Pages {
  const why = readers === 'members' ? html`<p>${describeReaders(readers)}</p>\n` : null;
  return {
    register: ({ title, main, ...context }) => drawPage(title, html`${why}${main}`, context),
    logIn({ title, main, ...context }) {
      const help = context.session === null ? CANNOT_LOG_IN : null;
      return drawPage(title, html`${why}${main}${help}`, context);
    },
    async account({ title, main, ...context }) {
      const id = context.session?.user.id ?? 0;
      const stored = mails && (await findAddress(mails.read, { account_id: id }));
      const more = html`<p><a href="${href('/account/list')}">Columns of the list</a></p>\n`;
      return drawPage(title, html`${main}${more}${mails && mailLine(stored)}`, context);
    },
    profile({ title, main, ...context }) {
      const username = context.session?.user.name ?? '';
      const why = html`<p>You still log in as <strong>${username}</strong>. Items that you have borrowed show the new name.</p>\n`;
      return drawPage(title, html`${why}${main}`, context);
    },
    async person({ title, main, person, ...context }) {
      // The title is what pages call the person.
      const { items } = await findHeld([title, person?.username ?? title]);
      const held = items.length === 0 ? null : heldSection(title, items);
      return drawPage(title, html`${held}${main}`, context);
    },
  };
}

const CANNOT_LOG_IN = html`<details>
<summary>I can’t log in</summary>
<p>The person who runs this site can make a link for a new password, too, with <code>${NEW_PASSWORD}</code> and your username.</p>
</details>
`;

/** Items that the page of a person names. */
const MAX_SHOWN = 10;

function heldSection(name: string, held: readonly Held[]): Html {
  const shown = held.slice(0, MAX_SHOWN);
  const rest = held.length - shown.length;
  return html`<section aria-labelledby="held-heading">
<h2 id="held-heading">${name} has ${formatCount(held.length, 'item', 'items')}</h2>
<ul>
${shown.map((item) => html`<li><a href="${itemHref(item.number)}">${item.name}</a></li>\n`)}${rest === 0 ? null : html`<li>and ${formatCount(rest, 'other', 'others')}</li>\n`}</ul>
<p><a href="${heldHref(name)}">Return items</a>, and lend to somebody else what is still needed. Disabling the account returns nothing.</p>
</section>
`;
}
