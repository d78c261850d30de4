/** The pages of one's own account: what it has, its devices, its security log, and its end. */
import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { hiddenField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { localPath } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { isSafe, type Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import { page, seeOther, withHeader, withSession } from '../http/response.ts';
import type { Router } from '../router/router.ts';
import { readHostCookie } from '../session/host-cookie.ts';
import { requireSession } from '../session/require-session.ts';
import type { Session, SessionContext } from '../session/session.ts';
import { endSession, withFlash } from '../session/session-change.ts';
import { toTokenKey } from '../session/token.ts';
import { drawForm, formPage } from '../site/form-page.ts';
import type { AccountUser } from './account.ts';
import type { AccountParts, PageContext, UserContext } from './account-parts.ts';
import { withoutUsername } from './account-profile.ts';
import { describeAgent } from './describe-agent.ts';
import { drawEvents } from './event-list.ts';
import { drawDanger, frame, linkToAccount, PRIVATE_PAGE } from './frame.ts';
import { drawInstant } from './instants.ts';
import { type Leave, unlessLeft } from './leave-transaction.ts';
import { toPublicId } from './public-id.ts';
import { sayIn, text } from './say.ts';

/** Events on the page of the account. */
const MAX_EVENTS = 20;

export function addAccountPages(router: Router<PageContext, never>, parts: AccountParts): void {
  const { events, options, sessions, store } = parts;
  const { people, roles } = options;
  const has = (part: (typeof options.without)[number]) => !options.without.includes(part);

  router.get('/account', requireSession, async (context) => {
    const { request, session } = context as UserContext;
    const say = sayIn(request);
    const { id, name, email } = session.user;
    const account = await store.find({ id });
    const hasMail = options.mail !== undefined && has('changeAddress');
    const links: readonly (readonly [string, string])[] = [
      ...(options.profile === undefined
        ? []
        : [['/account/profile', titleOf(options.profile, request)] as const]),
      ...(account?.passwordHash == null
        ? []
        : [['/account/password', say('Change your password')] as const]),
      ...(hasMail ? [['/account/email', say('Email address')] as const] : []),
      ...(options.totp === undefined
        ? []
        : [['/account/second-factor', say('Second factor')] as const]),
      ...(parts.passkeys?.originOf(request) == null
        ? []
        : [['/account/passkeys', say('Your passkeys')] as const]),
      ...(options.providers.length === 0
        ? []
        : [['/account/providers', say('Company accounts')] as const]),
      ...(has('delete') ? [['/account/delete', say('Delete your account')] as const] : []),
      ...(has('people') && roles.indexOf(session.user.role) >= roles.indexOf(people.seenBy)
        ? [['/people', say('People')] as const]
        : []),
    ];
    const log = await events.list({ accountId: id, limit: MAX_EVENTS });
    const shownName = people.name(session.user);
    const sentences = [
      say('You are logged in as {name}.', { name }),
      ...(shownName === name ? [] : [say('Others see you as {name}.', { name: shownName })]),
      ...(email === null || email === name
        ? []
        : [say('Your email address is {email}.', { email })]),
    ];
    const mine = has('devices') ? await sessions.list(id, options.now()) : [];
    const devices = html`<h2>${say('Devices')}</h2>
${drawDevices(parts, mine, context as UserContext)}${mine.length > 1 ? html`<p><a href="/account/devices">${say('Log out on all other devices')}</a></p>\n` : null}`;
    const main = html`<p>${sentences.join(' ')}</p>
<ul>
${links.map(([path, label]) => html`<li><a href="${path}">${label}</a></li>\n`)}</ul>
<form method="post" action="/logout"><button class="quiet">${say('Log out')}</button></form>
${mine.length === 0 ? null : devices}${drawEvents(options, log, request, { hasDevices: true })}`;
    const shown = page(
      await frame(parts, context, { page: 'account', title: say('Your account'), main }),
    );
    return withHeader(shown, 'Cache-Control', PRIVATE_PAGE['Cache-Control']);
  });

  if (options.profile !== undefined) addProfilePage(router, parts, options.profile);
  if (has('devices')) addDevicePages(router, parts);
  if (has('delete')) addDeletePage(router, parts);
}

function addProfilePage(
  router: Router<PageContext, never>,
  parts: AccountParts,
  profile: NonNullable<AccountParts['options']['profile']>,
): void {
  const { form, fill, save } = profile;
  formPage(router, '/account/profile', form, {
    button: text('Save'),
    middleware: [requireSession],
    fill: (context) => fill(context),
    show({ formHtml, ...context }) {
      const title = titleOf(profile, context.request);
      const main = html`${formHtml}${linkToAccount(context.request)}`;
      return frame(parts, context, { page: 'profile', title, main, formHtml });
    },
    async send({ request, session: { user }, transaction, values }) {
      const account = { id: user.id, username: user.name, role: user.role };
      const saved = { transaction, account, values };
      const errors = await save(saved);
      if (errors !== undefined && errors.length > 0) return { errors: withoutUsername(errors) };
      const message = profile.message?.(saved) ?? sayIn(request)('Your details were saved.');
      return { path: localPath('/account'), message };
    },
  });
}

function titleOf(
  { title }: NonNullable<AccountParts['options']['profile']>,
  request: Request,
): string {
  return title === undefined
    ? sayIn(request)('Your details')
    : languageOf(request).translate(title);
}

/** All of them, each other one with the link that logs it out. */
function drawDevices(
  { options }: AccountParts,
  mine: readonly Session<AccountUser>[],
  { session, request }: UserContext,
): Html {
  const say = sayIn(request);
  const rows = mine.map((one) => {
    const id = toPublicId(one.key);
    const action =
      one.key === session.key
        ? html`<strong>${say('This device')}</strong>`
        : html`<a href="/account/devices?id=${id}" aria-describedby="device-${id}">${say('Log out there')}</a>`;
    return html`<tr><th scope="row" id="device-${id}">${describeAgent(one.agent, request)}</th><td>${one.address}</td><td data-label="${say('Last active')}">${drawInstant(options, one.seenAt, request)}</td><td>${action}</td></tr>\n`;
  });
  return html`<table class="list" aria-label="${say('Devices')}">
<thead><tr><th scope="col">${say('Device')}</th><th scope="col">${say('Network address')}</th><th scope="col">${say('Last active')}</th><th scope="col">${say('Log out')}</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
`;
}

function addDevicePages(router: Router<PageContext, never>, parts: AccountParts): void {
  const { options, sessions, store } = parts;
  const form = defineForm({ id: hiddenField() });
  formPage(router, '/account/devices', form, {
    button: text('Log out there'),
    middleware: [requireSession, parts.requireRecent],
    headers: PRIVATE_PAGE,
    fill: ({ request }) => ({ id: request.query.get('id') ?? '' }),
    async show({ formHtml: _, ...context }) {
      const { form, request, session } = context;
      const say = sayIn(request);
      const label =
        form.text.id === '' ? say('Log out on all other devices') : say('Log out there');
      const formHtml = drawForm(form, html`<button>${label}</button>\n`);
      const mine = await sessions.list(session.user.id, options.now());
      const one = mine.find(({ key }) => toPublicId(key) === form.text.id);
      const question =
        form.text.id === ''
          ? say('Log out on all other devices?')
          : say('Log out on {device}?', { device: describeAgent(one?.agent ?? '', request) });
      // A device that was logged out meanwhile, and this one, cannot be logged out here.
      const canEnd =
        form.text.id === '' ? mine.length > 1 : one !== undefined && one.key !== session.key;
      const main = html`${drawDevices(parts, mine, context)}${canEnd ? html`<h2>${question}</h2>\n${formHtml}` : null}${linkToAccount(request)}`;
      return frame(parts, context, { page: 'devices', title: say('Devices'), main, formHtml });
    },
    async send({ request, session, transaction, values: { id } }) {
      const { user, key } = session;
      await store.lockOpen(transaction, session);
      const mine = await store.sessionKeys(transaction, user.id);
      const ended = mine.filter((one) => (id === '' ? one !== key : toPublicId(one) === id));
      for (const one of ended) await store.endSession(transaction, one);
      // The trust is of a browser, not of a session: nobody knows whether it is one of these.
      if (ended.some((one) => one !== key))
        await parts.tokens.remove(transaction, user.id, ['trusted browser']);
      if (ended.length > 0)
        await parts.tell(
          transaction,
          request,
          { id: user.id, username: user.name, email: null },
          { kind: id === '' ? 'other sessions ended' : 'session ended' },
        );
      return {
        path: localPath('/account/devices'),
        message:
          id === ''
            ? sayIn(request)('All other devices are now logged out.')
            : sayIn(request)('That device is now logged out.'),
      };
    },
  });
}

function addDeletePage(router: Router<PageContext, never>, parts: AccountParts): void {
  const { options, store, tokens } = parts;
  const highest = options.roles.at(-1) ?? '';
  const done = (request: Request) =>
    withFlash(seeOther(options.home), sayIn(request)('Your account was deleted.'));
  /** The second click of two comes with a session that the first has ended. */
  const acceptRepeat: Middleware<Pick<SessionContext, 'session'>> = describeMiddleware(
    async function acceptRepeat(context, next) {
      const { request, session } = context;
      if (session !== null || isSafe(request)) return next(context);
      for (const token of readHostCookie(request, 'session'))
        if ((await tokens.findKey('repeat', toTokenKey(token))) !== null)
          return withSession(done(request), endSession);
      return next(context);
    },
    { needs: ['session'], adds: [] },
  );
  formPage(router, '/account/delete', defineForm({}), {
    button: text('Delete your account'),
    middleware: [acceptRepeat, requireSession, parts.requireRecent],
    show(context) {
      const say = sayIn(context.request);
      const formHtml = drawDanger(context.form, say('Delete your account'));
      const main = html`<p>${say('This deletes your account, and everything that you log in with. It cannot be undone.')}</p>\n${formHtml}${linkToAccount(context.request)}`;
      return frame(parts, context, {
        page: 'deleteAccount',
        title: say('Delete your account'),
        main,
        formHtml,
      });
    },
    async act({ once, request, session }) {
      const { id } = session.user;
      const answer = await unlessLeft((leave: Leave<'last'>) =>
        once(async (transaction) => {
          await store.lockAll(transaction);
          const account = await store.lockOpen(transaction, session);
          if (account.role === highest && (await store.countRole(transaction, highest)) < 2)
            throw leave('last');
          await parts.tell(transaction, request, account, { kind: 'deleted' });
          await parts.forgetAttempts(transaction, account);
          await options.onDelete?.(transaction, id);
          await store.remove(transaction, id);
          const repeat = { accountId: null, lifetime: 60_000 };
          await tokens.add(transaction, 'repeat', session.key, repeat);
          return options.home;
        }),
      );
      if (answer !== 'last') return withSession(done(request), endSession);
      return {
        errors: [
          {
            field: null,
            message: text('You are the only administrator. Make another person one first'),
          },
        ],
        status: 409,
      };
    },
  });
}
