/**
 * The pages of all accounts, for the highest role: invite, change a role, hand over a link for a new password, take
 * away a second factor that was lost, disable and enable. Each form asks for a recent log-in; to look does not.
 * Users with the role of `seenBy` see the names and roles of those who can log in, and nothing else.
 */

import { describeMiddleware } from '../chain/describe-middleware.ts';
import type { WriteTransaction } from '../database/database.ts';
import { buttonField } from '../field/button-field.ts';
import { choiceField } from '../field/choice-field.ts';
import { textField } from '../field/fields.ts';
import { isEmail } from '../field/text-fields.ts';
import { defineForm } from '../form/define-form.ts';
import { errorSummary, formField, formTag } from '../form/form-markup.ts';
import { type Href, localPath } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { HttpError } from '../http/http-error.ts';
import { isSafe, type Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import { page, withHeader } from '../http/response.ts';
import { paginate } from '../lists/paginate.ts';
import type { Router } from '../router/router.ts';
import { requireSession } from '../session/require-session.ts';
import { formPage } from '../site/form-page.ts';
import type { Account } from './account.ts';
import { handOver } from './account-mail.ts';
import type { ShownPerson } from './account-options.ts';
import type { AccountParts, PageContext, UserContext } from './account-parts.ts';
import { nameRole } from './describe-event.ts';
import { drawEvents } from './event-list.ts';
import { frame, PRIVATE_PAGE } from './frame.ts';
import { type Guard, ofForms } from './guards.ts';
import { formatInstant } from './instants.ts';
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
/**
 * Accounts that are sorted by a name of the site's own, which no index has. More are sorted by username, and read a
 * page at a time.
 */
const MAX_SORTED = 500;

export function addPeoplePages(router: Router<PageContext, never>, parts: AccountParts): void {
  const { options, people } = parts;
  const { roles } = options;
  const nameOf = options.people.name;
  const hasMail = options.mail !== undefined;
  const role = choiceField({
    label: text('Role'),
    choices: roles.map((value) => ({ value, label: options.people.roleText(value, 'choice') })),
    required: text('Choose a role'),
  });

  const inviteForm = defineForm({
    to: hasMail
      ? textField({
          label: text('Email address or name'),
          hint: text('Without an address, you get a link to hand over.'),
          required: text('Enter an email address or a name'),
          maxLength: 254,
        })
      : textField({
          label: text('Name'),
          hint: text('Who the link is for.'),
          required: text('Enter the name of the person'),
          maxLength: 120,
        }),
    role,
  });
  const looking = [parts.requireHighest, ofForms(parts.requireRecent)] as const;
  formPage(router, '/people', inviteForm, {
    button: text('Invite'),
    middleware: [parts.requireSeen, showNames(parts), ...looking],
    // The message after it has the link.
    headers: TOKEN_PAGE,
    fill: () => ({ role: options.defaultRole }),
    check: ({ values: { to } }) =>
      hasMail && to?.includes('@') && !isEmail(to)
        ? [{ field: 'to', message: text('This is not an email address') }]
        : [],
    async show({ formHtml, ...context }) {
      const { request } = context;
      const say = sayIn(request);
      const list = await drawPeople(parts, request, {
        canLogIn: false,
        drawRow({ id, username, disabledAt, user }) {
          const name = nameOf(user);
          const isDisabled =
            disabledAt === null ? null : html`, <strong>${say('Disabled')}</strong>`;
          return html`<th scope="row"><a href="/people/${id}">${name}</a>${name === username ? null : ` (${username})`}</th><td>${nameRole(options, user.role, request)}${isDisabled}</td>`;
        },
      });
      const main = html`${list}<h2>${say('Invite somebody')}</h2>
${formHtml}${await drawInvitations(parts, context)}`;
      return frame(parts, context, { page: 'people', title: say('People'), main, formHtml });
    },
    async send({ values, ...context }) {
      const message = await sendInvitation(parts, context, values);
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
    middleware: looking,
    headers: TOKEN_PAGE,
    async load({ params }) {
      return { person: (await people.find(params.id)) ?? nobody() };
    },
    fill: ({ person }) => ({ role: person.role }),
    async show({ formHtml: _, person, ...context }) {
      const { form, request } = context;
      const say = sayIn(request);
      const { id, username, email, createdAt, disabledAt, user } = person;
      const title = nameOf(user);
      const isOwn = context.session.user.id === id;
      const formHtml = html`${errorSummary(form)}${formTag(form, html`${formField(form, 'role')}${drawActions(person, say, { name: title, isOwn })}`)}`;
      const state = [
        ...(title === username ? [] : [username]),
        ...(email === null || email === username ? [] : [email]),
        ...(disabledAt === null ? [] : [say('Disabled')]),
        ...(user.hasSecondFactor ? [say('Second factor')] : []),
        say('here since {time}', { time: formatInstant(options, createdAt, request) }),
      ];
      const log = await parts.events.list({ accountId: id, limit: 20 });
      const main = html`<p>${state.join(', ')}</p>\n${formHtml}${drawEvents(options, log, request, { hasDevices: false })}<p class="back"><a href="/people">${say('People')}</a></p>\n`;
      return frame(parts, context, { page: 'person', title, main, formHtml, person });
    },
    send: {
      async role({ request, session, transaction, params, values }) {
        const actor = { request, session };
        const done = await setRole(parts, transaction, actor, params.id, values.role);
        if (done.kind === 'last') return LAST;
        requireDone(done);
        // Who gives up the highest role does not see that page any more.
        const isLeft = params.id === session.user.id && values.role !== roles.at(-1);
        return {
          path: isLeft ? localPath('/account') : personPath(params.id),
          message: sayIn(request)('The role is now {role}.', {
            role: nameRole(options, values.role, request),
          }),
        };
      },
      async link({ request, session, transaction, params }) {
        // A stolen session must not set a password without the current one.
        if (params.id === session.user.id) return OWN_PASSWORD;
        const made = await makePasswordLink(parts, transaction, { request, session }, params.id);
        const { token } = requireDone(made);
        const words =
          'Send this link to {name}. It is shown only now, works once, and expires in 24 hours: {link}';
        const name = await findName(transaction, params.id);
        const path = `/password/new?token=${token}`;
        return {
          path: personPath(params.id),
          message: handOver(options, request, words, { name, path }),
        };
      },
      async factors({ request, session, transaction, params }) {
        const actor = { request, session };
        requireDone(await takeSecondFactor(parts, transaction, actor, params.id));
        return {
          path: personPath(params.id),
          message: sayIn(request)('The second factor was removed. {name} will be told.', {
            name: await findName(transaction, params.id),
          }),
        };
      },
      disable: (context) => change(context, true),
      enable: (context) => change(context, false),
    },
  });

  async function findName(transaction: WriteTransaction, id: number): Promise<string> {
    return nameOf(((await people.find(id, transaction)) ?? nobody()).user);
  }

  async function change(
    { params, request, session, transaction }: Changing,
    isToBeDisabled: boolean,
  ) {
    const actor = { request, session };
    const done = await setDisabled(parts, transaction, actor, params.id, isToBeDisabled);
    if (done.kind === 'last') return LAST;
    requireDone(done);
    const name = await findName(transaction, params.id);
    const say = sayIn(request);
    return {
      path: personPath(params.id),
      message: isToBeDisabled
        ? say('{name} is logged out everywhere, and can no longer log in.', { name })
        : say('{name} can log in again.', { name }),
    };
  }
}

/** Those that the account needs now, each with what it does. The first one is what Enter does. */
function drawActions(
  { disabledAt, user }: ShownPerson,
  say: Say,
  { name, isOwn }: { readonly name: string; readonly isOwn: boolean },
): Html {
  const button = (value: string, label: string, does: string, kind: 'quiet' | 'danger' = 'quiet') =>
    html`<p>${does}</p>\n<button class="${kind}" name="action" value="${value}">${label}</button>\n`;
  const link = button(
    'link',
    say('Make a link for a new password'),
    say(
      'With a link, {name} chooses a new password. It works once, within 24 hours, and logs {name} out on all devices.',
      { name },
    ),
  );
  const factors = button(
    'factors',
    say('Remove the second factor'),
    say(
      'If {name} has lost the second factor, remove it. {name} is logged out, and will be told.',
      {
        name,
      },
    ),
    'danger',
  );
  const disable = button(
    'disable',
    say('Disable the account'),
    say(
      '{name} is logged out on all devices, and cannot log in. Open links that {name} made stop working. What {name} did stays, with the name. You can enable the account later.',
      { name },
    ),
    'danger',
  );
  const enable = button(
    'enable',
    say('Enable the account'),
    say('{name} can then log in as before, with the same password and role.', { name }),
  );
  return html`<button name="action" value="role">${say('Save the role')}</button>
${isOwn || disabledAt !== null ? null : link}${user.hasSecondFactor ? factors : null}${disabledAt === null ? disable : enable}`;
}

type Changing = UserContext & {
  readonly params: { readonly id: number };
  readonly transaction: WriteTransaction;
};

const TOO_MANY = {
  errors: [{ field: null, message: text('Too many invitations are open. Withdraw one first') }],
  status: 409,
} as const;

const OWN_PASSWORD = {
  errors: [{ field: null, message: text('Change your own password on the page of your account') }],
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

/** Answers the page of all people to those who only see it, before it reads anything else. */
function showNames(parts: AccountParts): Guard {
  const { options, people } = parts;
  const { name: nameOf } = options.people;
  const highest = options.roles.at(-1) ?? '';
  const draw = async (context: UserContext) => {
    const { request } = context;
    const say = sayIn(request);
    const { formatList } = languageOf(request);
    const list = await drawPeople(parts, request, {
      canLogIn: true,
      drawRow: ({ user }) =>
        html`<th scope="row">${nameOf(user)}</th><td>${nameRole(options, user.role, request)}</td>`,
    });
    const administrators = await people.withRole(highest, PAGE_SIZE);
    const names = byName(parts, request, administrators).map(({ user }) => nameOf(user));
    const main = html`${list}<p>${say('To invite somebody, or to change a role, ask an administrator: {names}.', { names: formatList(names, 'disjunction') })}</p>\n`;
    const shown = await frame(parts, context, { page: 'people', title: say('People'), main });
    return withHeader(page(shown), 'Cache-Control', PRIVATE_PAGE['Cache-Control']);
  };
  return describeMiddleware(
    function showNames(context, next) {
      return isSafe(context.request) && context.session?.user.role !== highest
        ? draw(context as unknown as UserContext)
        : requireSession(context, next as never);
    } as Guard,
    { needs: ['session'], adds: ['session'] },
  );
}

async function drawPeople(
  parts: AccountParts,
  request: Request,
  {
    canLogIn,
    drawRow,
  }: { readonly canLogIn: boolean; readonly drawRow: (person: ShownPerson) => Html },
): Promise<Html> {
  const { options, people } = parts;
  const say = sayIn(request);
  const sorted = options.people.isNamed ? await readSorted(parts, request, canLogIn) : null;
  const { rows, nav } = await paginate(request, {
    size: PAGE_SIZE,
    // Not the username: it may be an address.
    key: { id: 'int' },
    read: ({ limit, position, isBackwards }) => {
      const from = position?.id ?? null;
      return sorted === null
        ? people.list({ limit, from, isBackwards, canLogIn })
        : sliceAt(isBackwards ? sorted.toReversed() : sorted, from, limit);
    },
  });
  return html`<table class="list">
<thead><tr><th scope="col">${say('Name')}</th><th scope="col">${say('Role')}</th></tr></thead>
<tbody>
${rows.map((one) => html`<tr>${drawRow(one)}</tr>\n`)}</tbody>
</table>
${nav}`;
}

/** Null if there are too many. */
async function readSorted(
  parts: AccountParts,
  request: Request,
  canLogIn: boolean,
): Promise<readonly ShownPerson[] | null> {
  const limit = MAX_SORTED + 1;
  const all = await parts.people.list({ from: null, limit, isBackwards: false, canLogIn });
  return all.length === limit ? null : byName(parts, request, all);
}

function byName(
  { options }: AccountParts,
  request: Request,
  people: readonly ShownPerson[],
): readonly ShownPerson[] {
  const { compare } = new Intl.Collator(languageOf(request).code);
  const named = people.map((person) => ({ person, name: options.people.name(person.user) }));
  return named.toSorted((a, b) => compare(a.name, b.name)).map(({ person }) => person);
}

/** Those after the person `from`; none if that one is not listed. */
function sliceAt(
  people: readonly ShownPerson[],
  from: number | null,
  limit: number,
): readonly ShownPerson[] {
  const at = from === null ? 0 : people.findIndex(({ id }) => id === from) + 1;
  return from !== null && at === 0 ? [] : people.slice(at, at + limit);
}

function personPath(id: number): Href {
  return localPath(`/people/${id}`);
}

function nobody(): never {
  throw new HttpError(404, (language) => sayWith(language)('There is no such person.'));
}
