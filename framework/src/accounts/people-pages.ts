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
import { errorSummary, formField, formTag } from '../form/form-markup.ts';
import { type Href, localPath } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { HttpError } from '../http/http-error.ts';
import { languageOf } from '../http/request-language.ts';
import { paginate } from '../lists/paginate.ts';
import type { Router } from '../router/router.ts';
import { formPage } from '../site/form-page.ts';
import { type Account, toNameKey } from './account.ts';
import { originOf } from './account-options.ts';
import type { AccountParts, PageContext, UserContext } from './account-parts.ts';
import { drawEvents } from './event-list.ts';
import { frame } from './frame.ts';
import { addInvitations, drawInvitations, sendInvitation } from './invitations.ts';
import { TOKEN_PAGE } from './link-gone.ts';
import {
  makePasswordLink,
  type PeopleChange,
  refuseActor,
  setDisabled,
  setRole,
  takeSecondFactor,
} from './people.ts';
import { type Say, sayIn, sayWith, text } from './say.ts';

/** Accounts on a page. */
const PAGE_SIZE = 50;

export function addPeoplePages(router: Router<PageContext, never>, parts: AccountParts): void {
  const { options, store } = parts;
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
      const { translate } = languageOf(request);
      const { rows, nav } = await paginate(request, {
        size: PAGE_SIZE,
        key: { key: 'text' },
        read: ({ limit, position, isBackwards }) =>
          listAccounts(parts, { limit, from: position?.key ?? null, isBackwards }),
      });
      const drawn = rows.map(
        ({ account }) =>
          html`<tr><th scope="row"><a href="/people/${account.id}">${account.username}</a></th><td>${translate(account.role)}${account.disabledAt === null ? null : html`, <strong>${say('Disabled')}</strong>`}</td></tr>\n`,
      );
      const main = html`<table class="list">
<thead><tr><th scope="col">${say('Name')}</th><th scope="col">${say('Role')}</th></tr></thead>
<tbody>
${drawn}</tbody>
</table>
${nav}<h2>${say('Invite somebody')}</h2>
${formHtml}${await drawInvitations(parts, context)}`;
      return frame(parts, context, { page: 'people', title: say('People'), main, formHtml });
    },
    async send({ values, ...context }) {
      const invited = { to: values.to ?? '', role: values.role };
      const message = await sendInvitation(parts, context, invited);
      return message === null ? TOO_MANY : { path: localPath('/people'), message };
    },
  });
  addInvitations(router, parts);

  const personForm = defineForm({
    role,
    action: buttonField({
      buttons: [
        { value: 'role', label: text('Save the role'), checks: ['role'] },
        { value: 'link', label: text('Make a link for a new password'), checks: [] },
        { value: 'factors', label: text('Remove the second factor'), checks: [] },
        { value: 'disable', label: text('Disable the account'), checks: [] },
        { value: 'enable', label: text('Enable the account'), checks: [] },
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
    async show({ formHtml: _, account, ...context }) {
      const { form, request } = context;
      const say = sayIn(request);
      const formHtml = html`${errorSummary(form)}${formTag(form, html`${formField(form, 'role')}${drawActions(account, say)}`)}`;
      const state = [
        ...(account.email === null || account.email === account.username ? [] : [account.email]),
        ...(account.disabledAt === null ? [] : [say('Disabled')]),
        ...(account.hasSecondFactor ? [say('Second factor')] : []),
      ];
      const log = await parts.events.list({ accountId: account.id, limit: 20 });
      const main = html`${state.length === 0 ? null : html`<p>${state.join(', ')}</p>\n`}${formHtml}${drawEvents(options, log, request, { hasDevices: false })}<p><a href="/people">${say('People')}</a></p>\n`;
      return frame(parts, context, { page: 'person', title: account.username, main, formHtml });
    },
    send: {
      async role({ request, session, transaction, params, values }) {
        const actor = { request, session };
        const done = await setRole(parts, transaction, actor, params.id, values.role);
        if (done.kind === 'last') return LAST;
        requireDone(done);
        return {
          path: personPath(params.id),
          message: sayIn(request)('The role is now {role}.', { role: values.role }),
        };
      },
      async link({ request, session, transaction, params }) {
        const made = await makePasswordLink(parts, transaction, { request, session }, params.id);
        const { account, token } = requireDone(made);
        const link = `${originOf(options, request)}/password/new?token=${token}`;
        return {
          path: personPath(params.id),
          message: sayIn(request)(
            'Send this link to {name}. It is shown only now, works once, and expires in 24 hours: {link}',
            { name: account.username, link },
          ),
        };
      },
      async factors({ request, session, transaction, params }) {
        const actor = { request, session };
        const { account } = requireDone(
          await takeSecondFactor(parts, transaction, actor, params.id),
        );
        return {
          path: personPath(params.id),
          message: sayIn(request)('The second factor was removed. {name} will be told.', {
            name: account.username,
          }),
        };
      },
      disable: (context) => change(context, true),
      enable: (context) => change(context, false),
    },
  });

  async function change(
    { params, request, session, transaction }: Changing,
    isToBeDisabled: boolean,
  ) {
    const actor = { request, session };
    const done = await setDisabled(parts, transaction, actor, params.id, isToBeDisabled);
    if (done.kind === 'last') return LAST;
    const { username: name } = requireDone(done).account;
    const say = sayIn(request);
    return {
      path: personPath(params.id),
      message: isToBeDisabled
        ? say('{name} is logged out everywhere, and can no longer log in.', { name })
        : say('{name} can log in again.', { name }),
    };
  }
}

/** Those that the account needs now. The first one is what Enter does. */
function drawActions({ disabledAt, hasSecondFactor }: Account, say: Say): Html {
  const button = (value: string, label: string, kind: 'quiet' | 'danger' = 'quiet') =>
    html`<button class="${kind}" name="action" value="${value}">${label}</button>\n`;
  return html`<button name="action" value="role">${say('Save the role')}</button>
${button('link', say('Make a link for a new password'))}${hasSecondFactor ? button('factors', say('Remove the second factor'), 'danger') : null}${disabledAt === null ? button('disable', say('Disable the account'), 'danger') : button('enable', say('Enable the account'))}`;
}

type Changing = UserContext & {
  readonly params: { readonly id: number };
  readonly transaction: WriteTransaction;
};

const TOO_MANY = {
  errors: [{ field: null, message: text('Too many invitations are open. Withdraw one first') }],
  status: 409,
} as const;

const LAST = {
  errors: [
    { field: null, message: text('This is the only administrator. Make another person one first') },
  ],
  status: 409,
} as const;

function requireDone<Extra>(done: PeopleChange<Extra>): { readonly account: Account } & Extra {
  if (done.kind === 'done') return done;
  if (done.kind === 'unknown') return nobody();
  return refuseActor();
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
  throw new HttpError(404, (language) => sayWith(language)('There is no such person.'));
}
