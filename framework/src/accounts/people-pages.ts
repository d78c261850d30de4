/**
 * The pages of all accounts, for the highest role: invite, change a role, hand over a link for a new password, take
 * away a second factor that was lost, disable and enable. Each asks for a recent log-in.
 */

import type { WriteTransaction } from '../database/database.ts';
import { buttonField } from '../field/button-field.ts';
import { choiceField } from '../field/choice-field.ts';
import { textField } from '../field/fields.ts';
import { emailField } from '../field/text-fields.ts';
import { defineForm } from '../form/define-form.ts';
import { type Href, localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { HttpError } from '../http/http-error.ts';
import { paginate } from '../lists/paginate.ts';
import type { Router } from '../router/router.ts';
import { formPage } from '../site/form-page.ts';
import { type Account, toNameKey } from './account.ts';
import { mailLink } from './account-mail.ts';
import { originOf } from './account-options.ts';
import type { AccountParts, PageContext } from './account-parts.ts';
import { describeEvent, formatInstant } from './describe-event.ts';
import { frame } from './frame.ts';
import { TOKEN_PAGE } from './link-gone.ts';
import { sayIn, text } from './say.ts';

const DAY = 86_400_000;
/** Accounts on a page. */
const PAGE_SIZE = 50;

export function addPeoplePages(router: Router<PageContext, never>, parts: AccountParts): void {
  const { options, store, tokens } = parts;
  const { roles } = options;
  const hasMail = options.mail !== undefined;
  const middleware = [parts.requireHighest, parts.requireRecent] as const;
  const role = choiceField({
    label: text('Role'),
    choices: roles,
    required: text('Choose a role'),
  });

  const inviteForm = defineForm({
    ...(hasMail
      ? {
          to: emailField({
            label: text('Email address'),
            required: text('Enter an email address'),
          }),
        }
      : { to: textField({ label: text('Name'), maxLength: 60 }) }),
    role,
  });
  formPage(router, '/people', inviteForm, {
    button: text('Invite'),
    middleware,
    // The message after it has the link.
    headers: TOKEN_PAGE,
    fill: () => ({ role: roles[0] ?? '' }),
    async show({ formHtml, ...context }) {
      const { request } = context;
      const say = sayIn(request);
      const { rows, nav } = await paginate(request, {
        size: PAGE_SIZE,
        key: { key: 'text' },
        read: ({ limit, position, isBackwards }) =>
          listAccounts(parts, { limit, from: position?.key ?? null, isBackwards }),
      });
      const drawn = rows.map(
        ({ account }) =>
          html`<tr><th scope="row"><a href="/people/${account.id}">${account.username}</a></th><td>${account.role}</td><td>${account.disabledAt === null ? '' : say('Disabled')}</td></tr>\n`,
      );
      const main = html`<table>
<thead><tr><th scope="col">${say('Name')}</th><th scope="col">${say('Role')}</th><td></td></tr></thead>
<tbody>
${drawn}</tbody>
</table>
${nav}<h2>${say('Invite somebody')}</h2>
${formHtml}`;
      return frame(parts, context, { page: 'people', title: say('People'), main, formHtml });
    },
    async send({ request, session, transaction, values }) {
      const say = sayIn(request);
      await requireStillHighest(parts, transaction, session.user.id, session.key);
      const to = values.to ?? '';
      const token = await tokens.create(transaction, 'invitation', {
        accountId: null,
        data: { email: hasMail ? to : null, role: values.role },
        lifetime: 7 * DAY,
      });
      const path = localPath(`/register?token=${token}`);
      await parts.tell(
        transaction,
        request,
        { id: session.user.id, email: null },
        { kind: 'invited', detail: to },
      );
      if (!hasMail)
        return {
          path: localPath('/people'),
          message: say(
            'Send this link to {name}. It is shown only now, works once, and expires in 7 days: {link}',
            { name: to, link: `${originOf(options, request)}${path}` },
          ),
        };
      await mailLink(options, transaction, request, {
        to,
        subject: text('An invitation to {site}'),
        text: text(
          'You are invited to {site}. To create your account, open this link within 7 days:',
        ),
        path,
      });
      return {
        path: localPath('/people'),
        message: say('The invitation was sent to {name}.', { name: to }),
      };
    },
  });

  const personForm = defineForm({
    role,
    action: buttonField({
      buttons: [
        { value: 'role', label: text('Save the role'), checks: ['role'] },
        { value: 'link', label: text('Make a link for a new password'), checks: [] },
        { value: 'factors', label: text('Take away the second factor'), checks: [] },
        { value: 'disable', label: text('Disable or enable the account'), checks: [] },
      ],
    }),
  });
  formPage(router, '/people/:id<int>', personForm, {
    button: null,
    middleware,
    headers: TOKEN_PAGE,
    async load({ params }) {
      return { account: (await store.find({ id: params.id })) ?? nobody() };
    },
    fill: ({ account }) => ({ role: account.role }),
    async show({ formHtml, account, ...context }) {
      const { request } = context;
      const say = sayIn(request);
      const log = await parts.events.list({ accountId: account.id, limit: 20 });
      const main = html`<p>${account.username}${account.email === null ? null : html`, ${account.email}`}${account.disabledAt === null ? null : html`, ${say('Disabled')}`}${account.hasSecondFactor ? html`, ${say('Second factor')}` : null}</p>
${formHtml}<h2>${say('What happened')}</h2>
<ol>
${log.map((event) => html`<li>${describeEvent(event, request)} ${event.detail} <time datetime="${event.at.toISOString()}">${formatInstant(event.at, request)}</time></li>\n`)}</ol>
`;
      return frame(parts, context, { page: 'person', title: account.username, main, formHtml });
    },
    send: {
      async role({ request, session, transaction, params, values }) {
        const account = await change(transaction, session, params.id);
        if (await isLastHighest(parts, transaction, account, values.role)) return LAST;
        await store.change(transaction, account.id, { role: values.role }, true);
        await parts.tell(transaction, request, account, {
          kind: 'role changed',
          detail: values.role,
        });
        return {
          path: personPath(params.id),
          message: sayIn(request)('The role is now {role}.', { role: values.role }),
        };
      },
      async link({ request, session, transaction, params }) {
        const account = await change(transaction, session, params.id);
        const say = sayIn(request);
        await tokens.remove(transaction, account.id, ['new password']);
        const token = await tokens.create(transaction, 'new password', {
          accountId: account.id,
          lifetime: DAY,
        });
        await parts.tell(transaction, request, account, {
          kind: 'link made',
          detail: session.user.name,
        });
        const link = `${originOf(options, request)}/password/new?token=${token}`;
        return {
          path: personPath(params.id),
          message: say(
            'Send this link to {name}. It is shown only now, works once, and expires in 24 hours: {link}',
            { name: account.username, link },
          ),
        };
      },
      async factors({ request, session, transaction, params }) {
        const account = await change(transaction, session, params.id);
        await parts.removeFactors(transaction, account);
        await store.endSessions(transaction, account.id);
        await parts.tell(transaction, request, account, {
          kind: 'second factor removed',
          detail: session.user.name,
        });
        return {
          path: personPath(params.id),
          message: sayIn(request)('The second factor was taken away. {name} is told.', {
            name: account.username,
          }),
        };
      },
      async disable({ request, session, transaction, params }) {
        const account = await change(transaction, session, params.id);
        const say = sayIn(request);
        const isDisabled = account.disabledAt !== null;
        if (!isDisabled && (await isLastHighest(parts, transaction, account, null))) return LAST;
        const disabled_at = isDisabled ? null : options.now().toISOString();
        await store.change(transaction, account.id, { disabled_at }, true);
        await store.endSessions(transaction, account.id);
        await parts.tell(transaction, request, account, {
          kind: isDisabled ? 'enabled' : 'disabled',
          detail: session.user.name,
        });
        return {
          path: personPath(params.id),
          message: isDisabled
            ? say('{name} can log in again.', { name: account.username })
            : say('{name} is logged out everywhere, and cannot log in.', {
                name: account.username,
              }),
        };
      },
    },
  });

  /** The account to change, locked, if the user may still do so. */
  async function change(
    transaction: WriteTransaction,
    session: { readonly user: { readonly id: number }; readonly key: string },
    id: number,
  ): Promise<Account> {
    await store.lockAll(transaction);
    await requireStillHighest(parts, transaction, session.user.id, session.key);
    return (await store.lock(transaction, id)) ?? nobody();
  }
}

const LAST = {
  errors: [
    { field: null, message: text('This is the only administrator. Make another person one first') },
  ],
  status: 409,
} as const;

/** The role may have been taken away, or the session ended, since the request was let in. */
async function requireStillHighest(
  { options, store }: AccountParts,
  transaction: WriteTransaction,
  id: number,
  key: string,
): Promise<void> {
  const actor = await store.lock(transaction, id);
  const isHighest =
    actor !== null && actor.role === options.roles.at(-1) && actor.disabledAt === null;
  if (!isHighest || !(await store.isOpen(transaction, id, key)))
    throw new HttpError(403, ({ translate }) =>
      translate(text('Your account may no longer do this.')),
    );
}

async function isLastHighest(
  { options, store }: AccountParts,
  transaction: WriteTransaction,
  account: Account,
  newRole: string | null,
): Promise<boolean> {
  const highest = options.roles.at(-1) ?? '';
  if (account.role !== highest || account.disabledAt !== null || newRole === highest) return false;
  return (await store.countRole(transaction, highest)) < 2;
}

async function listAccounts(
  { store }: AccountParts,
  {
    limit,
    from,
    isBackwards,
  }: { readonly limit: number; readonly from: string | null; readonly isBackwards: boolean },
) {
  const accounts = await store.list({ from, limit, isBackwards });
  return accounts.map((account) => ({ account, key: toNameKey(account.username) }));
}

function personPath(id: number): Href {
  return localPath(`/people/${id}`);
}

function nobody(): never {
  throw new HttpError(404, ({ translate }) => translate(text('There is no such person.')));
}
