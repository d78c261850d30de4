/**
 * The invitations of administrators. Each ends with the rights of who made it. It goes by mail; on a site without
 * mails, its link is shown once, and handed over.
 */
import type { WriteTransaction } from '../database/database.ts';
import { buttonField } from '../field/button-field.ts';
import { hiddenField } from '../field/fields.ts';
import { isEmail } from '../field/text-fields.ts';
import { blankForm, defineForm } from '../form/define-form.ts';
import { formField, formTag } from '../form/form-markup.ts';
import { type Href, localPath } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import type { Router } from '../router/router.ts';
import { createFormHandlers } from '../site/form-handlers.ts';
import type { NewEvent } from './account-events.ts';
import { handOver, mailLink } from './account-mail.ts';
import type { AccountParts, PageContext, UserContext } from './account-parts.ts';
import { nameRole } from './describe-event.ts';
import { drawInstant } from './instants.ts';
import { mayManage, refuseActor } from './people.ts';
import { toPublicId } from './public-id.ts';
import { sayIn, text } from './say.ts';

/** Of an invitation, in milliseconds. */
const INVITATION_LIFE = 7 * 86_400_000;
/** Open invitations of one administrator. */
const MAX_INVITATIONS = 20;

const PEOPLE: Href = localPath('/people');

/** What is known of an open one. */
interface Invitation {
  /** Null if the link was handed over. */
  readonly email: string | null;
  readonly to?: string;
  readonly role: string;
  readonly by?: string;
}

type Inviting = UserContext & { readonly transaction: WriteTransaction };

/** Names an invitation by its public id. */
const invitationForm = defineForm({
  id: hiddenField(),
  action: buttonField({
    buttons: [
      { value: 'renew', label: text('Make a new link') },
      { value: 'withdraw', label: text('Withdraw') },
    ],
  }),
});

/**
 * Resolves to the message that follows; null if too many are open. A mail goes to an address, on a site with mails; a
 * link for a name is handed over.
 */
export async function sendInvitation(
  parts: AccountParts,
  context: Inviting,
  { to, role }: { readonly to: string; readonly role: string },
): Promise<string | null> {
  await lockForActor(parts, context);
  const { session, transaction } = context;
  const made = await parts.tokens.countMade(transaction, session.user.id, 'invitation');
  if (made >= MAX_INVITATIONS) return null;
  const email = parts.options.mail !== undefined && isEmail(to) ? to : null;
  return makeLink(parts, context, { email, to, role });
}

async function makeLink(
  parts: AccountParts,
  { request, session, transaction }: Inviting,
  { email, to = '', role }: Invitation,
): Promise<string> {
  const { options } = parts;
  const { id, name: username } = session.user;
  const maker = { account: { id, username }, by: username, request };
  const path = await createInvitation(parts, transaction, { email, to, role }, maker);
  if (email === null) {
    const words =
      'Send this link to {name}. It is shown only now, works once, and expires in 7 days: {link}';
    return handOver(options, request, words, { name: to, path });
  }
  await mailLink(options, transaction, request, {
    to: email,
    subject: text('An invitation to {site}'),
    text: text('You are invited to {site}. To create your account, open this link within 7 days:'),
    path,
  });
  return sayIn(request)('The invitation was sent to {name}.', { name: to });
}

/** Resolves to the path of its link. A program that makes one has no account. */
export async function createInvitation(
  { events, tokens }: Pick<AccountParts, 'events' | 'tokens'>,
  transaction: WriteTransaction,
  { email, to = '', role }: Invitation,
  maker: Pick<NewEvent, 'account' | 'request'> & { readonly by: string },
): Promise<Href> {
  await events.add(transaction, { ...maker, kind: 'invited', detail: role });
  const token = await tokens.create(transaction, 'invitation', {
    accountId: null,
    madeBy: maker.account?.id ?? null,
    data: { email, role, to, by: maker.by },
    lifetime: INVITATION_LIFE,
  });
  return localPath(`/register?token=${token}`);
}

/** Null if none is open. */
export async function drawInvitations(
  { options, people, tokens }: AccountParts,
  { request, session }: PageContext,
): Promise<Html | null> {
  const say = sayIn(request);
  const open = await tokens.list<Invitation>('invitation', null);
  if (open.length === 0) return null;
  const makers = new Map<number, string>();
  for (const id of new Set(open.flatMap(({ madeBy }) => madeBy ?? []))) {
    const person = await people.find(id);
    if (person !== null) makers.set(id, options.people.name(person.user));
  }
  const drawn = open.map(({ key, madeBy, data: { email, to = '', role, by = '' }, endsAt }) => {
    const form = blankForm(invitationForm, { id: toPublicId(key) }, undefined, session?.user);
    const id = `invitation-${toPublicId(key)}`;
    const button = (action: string, label: string) =>
      html`<button class="quiet" name="action" value="${action}" aria-describedby="${id}">${label}</button>`;
    const isMailed = email !== null && options.mail !== undefined;
    const renew = button('renew', isMailed ? say('Send it again') : say('Make a new link'));
    return html`<tr><th scope="row" id="${id}">${to === '' ? say('No name') : to}</th><td>${nameRole(options, role, request)}</td><td data-label="${say('Invited by')}">${makers.get(madeBy ?? 0) ?? by}</td><td data-label="${say('Expires')}">${drawInstant(options, endsAt, request)} ${formTag(form, html`${formField(form, 'id')}${renew} ${button('withdraw', say('Withdraw'))}`, { action: '/people/invitations' })}</td></tr>\n`;
  });
  return html`<h2 id="invitations">${say('Open invitations')}</h2>
<table class="list" aria-labelledby="invitations">
<thead><tr><th scope="col">${say('Name')}</th><th scope="col">${say('Role')}</th><th scope="col">${say('Invited by')}</th><th scope="col">${say('Expires')}</th></tr></thead>
<tbody>
${drawn}</tbody>
</table>
`;
}

export function addInvitations(router: Router<PageContext, never>, parts: AccountParts): void {
  const { events, options, tokens } = parts;
  /** Null if it was used or withdrawn already, or has expired. */
  const take = async (context: Inviting, id: string) => {
    await lockForActor(parts, context);
    const open = await tokens.list('invitation', null);
    const key = open.find((one) => toPublicId(one.key) === id)?.key ?? '';
    return tokens.takeKey<Invitation>(context.transaction, 'invitation', key, null);
  };
  const gone = ({ request }: Inviting) =>
    sayIn(request)('That invitation was used or withdrawn already, or has expired.');
  const { post } = createFormHandlers<UserContext>()(invitationForm, {
    name: 'changeInvitation',
    page: '/people',
    send: {
      async renew({ values, ...context }) {
        const taken = await take(context, values.id);
        if (taken === null) return { path: PEOPLE, message: gone(context) };
        // What was not sent by mail confirms no address.
        const email = options.mail === undefined ? null : taken.data.email;
        const made = await makeLink(parts, context, { ...taken.data, email });
        const message = `${made} ${sayIn(context.request)('The earlier link no longer works.')}`;
        return { path: PEOPLE, message };
      },
      async withdraw({ values, ...context }) {
        const { request, session, transaction } = context;
        if ((await take(context, values.id)) === null)
          return { path: PEOPLE, message: gone(context) };
        const { id, name: by } = session.user;
        await events.add(transaction, {
          account: { id, username: by },
          kind: 'invitation withdrawn',
          detail: '',
          by,
          request,
        });
        const message = sayIn(request)('The invitation was withdrawn. Its link no longer works.');
        return { path: PEOPLE, message };
      },
    },
  });
  router.post('/people/invitations', parts.requireHighest, parts.requireRecent, ...post);
}

async function lockForActor(parts: AccountParts, { transaction, ...actor }: Inviting) {
  await parts.store.lockAll(transaction);
  if (!(await mayManage(parts, transaction, actor))) refuseActor();
}
