/**
 * Pages around mails: to log in by a link, to change the address. The page behind a link changes nothing until its
 * button is used, because programs that scan mails open the links in them.
 */

import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import type { WriteTransaction } from '../database/database.ts';
import { defineForm } from '../form/define-form.ts';
import { localPath, withQuery } from '../http/href.ts';
import { html } from '../http/html.ts';
import type { Request } from '../http/request.ts';
import { page } from '../http/response.ts';
import type { Router } from '../router/router.ts';
import { readHostCookie, withHostCookie } from '../session/host-cookie.ts';
import { requireSession } from '../session/require-session.ts';
import { createToken, toTokenKey } from '../session/token.ts';
import { formPage } from '../site/form-page.ts';
import { isUsable, toNameKey } from './account.ts';
import { addressField } from './account-fields.ts';
import { mailLink } from './account-mail.ts';
import type { AccountParts, PageContext } from './account-parts.ts';
import { ENDED_KINDS } from './account-tokens.ts';
import { frame, framedAnswer, linkToAccount, PRIVATE_PAGE } from './frame.ts';
import { type Leave, unlessLeft } from './leave-transaction.ts';
import { readToken, showLinkGone, TOKEN_PAGE } from './link-gone.ts';
import { withNext } from './log-in.ts';
import { sayIn, text } from './say.ts';

const MINUTE = 60_000;
const LINK_LIFE = 10 * MINUTE;
/** The cookie of the browser that has asked for a link. */
const ASKED = 'link';
/** Seconds: the page of the form may be open for a while before the form is sent. */
const ASKED_LIFE = 3_600;
const DAY = 86_400_000;

export function addMailPages(router: Router<PageContext, never>, parts: AccountParts): void {
  const { options } = parts;
  router.get('/mail-sent', async ({ ...context }) => {
    const say = sayIn(context.request);
    const main = html`<p>${say('We have sent an email to the address that you entered. Open the link in it.')}</p>
<p>${say('No email? Check your spam folder, and wait a few minutes.')}</p>
`;
    return page(
      await frame(parts, context, { page: 'mailSent', title: say('Check your email'), main }),
    );
  });
  if (!options.without.includes('logInByMail')) addLinkPages(router, parts);
  if (!options.without.includes('changeAddress')) addAddressPages(router, parts);
}

interface Link {
  /** Of the account when the link was made. */
  readonly version: number;
  /** The SHA-256 of what the cookie has. */
  readonly asked: string;
}

function hasAsked(request: Request, { asked }: Link): boolean {
  return readHostCookie(request, ASKED).map(toTokenKey).includes(asked);
}

/** The cookie comes with the page of the form, because the browser drops the answer to the first of two clicks. */
const bindToBrowser: Middleware<unknown, { readonly asked: string }> = describeMiddleware(
  async function bindToBrowser(context, next) {
    const { request } = context;
    const [asked = createToken()] = readHostCookie(request, ASKED);
    const answer = await next({ ...context, asked });
    return withHostCookie(answer, request, { name: ASKED, value: asked, maxAge: ASKED_LIFE });
  },
  { needs: [], adds: ['asked'] },
);

function addLinkPages(router: Router<PageContext, never>, parts: AccountParts): void {
  const { logIn, options, store, tokens, write } = parts;
  formPage(router, '/login/link', defineForm({ email: addressField('Enter your email address') }), {
    button: text('Send a link'),
    middleware: [bindToBrowser],
    headers: PRIVATE_PAGE,
    check: parts.countMail,
    show({ formHtml, ...context }) {
      const say = sayIn(context.request);
      const main = html`<p>${say('We will send you a link that logs you in.')}</p>\n${formHtml}`;
      return frame(parts, context, {
        page: 'logInByMail',
        title: say('Log in with a link by email'),
        main,
        formHtml,
      });
    },
    async send({ asked, request, transaction, values: { email } }) {
      // A link that somebody else has asked for, or that was passed on, logs nobody in.
      await sendLink(transaction, request, email ?? '', asked);
      return localPath('/mail-sent');
    },
  });

  async function sendLink(
    transaction: WriteTransaction,
    request: Request,
    email: string,
    asked: string,
  ) {
    const found = await store.find({ email }, transaction);
    const account = found?.disabledAt === null ? found : null;
    // No account has the id 0: the same statements for an unknown address. Of two requests at once, one waits.
    await store.lock(transaction, account?.id ?? 0);
    await tokens.remove(transaction, account?.id ?? 0, ['log-in link']);
    const token = await tokens.create(transaction, 'log-in link', {
      accountId: account?.id ?? null,
      data: { version: account?.version ?? 0, asked: toTokenKey(asked) },
      // The same work for an unknown address; nobody gets this token.
      lifetime: account === null ? 1 : LINK_LIFE,
    });
    await mailLink(options, transaction, request, {
      to: account?.email ?? email,
      subject: text('Log in to {site}'),
      text:
        account === null
          ? text(
              'Somebody asked for a link to log in to {site} with this address, but no account has it. Perhaps you registered with another address.',
            )
          : text(
              'To log in to {site}, open this link within 10 minutes, in the browser in which you asked for it:',
            ),
      path:
        account === null
          ? null
          : withNext(request, withQuery('/login/link/open', `token=${token}`)),
    });
  }

  formPage(router, '/login/link/open', defineForm({}), {
    button: text('Log in'),
    once: false,
    headers: TOKEN_PAGE,
    async load({ request }) {
      const found = await tokens.find<Link>('log-in link', readToken(request));
      return {
        isElsewhere: found !== null && !hasAsked(request, found.data),
        account: found?.accountId == null ? null : await store.find({ id: found.accountId }),
      };
    },
    show({ formHtml, account, isElsewhere, ...context }) {
      if (account === null) return showLinkGone(parts, context);
      const say = sayIn(context.request);
      if (isElsewhere) return showElsewhere(context);
      const main = html`<p>${say('This logs you in as {name}.', { name: account.username })}</p>\n${formHtml}`;
      return frame(parts, context, { page: 'confirmLogIn', title: say('Log in'), main, formHtml });
    },
    async act({ form, request, ...context }) {
      const account = await take(request, form);
      if (account === 'elsewhere') return showElsewhere({ request, ...context });
      return account === null
        ? showLinkGone(parts, { request, ...context })
        : logIn.proved(request, account, { method: 'link' });
    },
  });

  const showElsewhere = (context: PageContext) => {
    const say = sayIn(context.request);
    const main = html`<p>${say('Open this link in the browser in which you asked for it, or ask for a new one here.')}</p>
<p><a href="${withNext(context.request, '/login/link')}">${say('Log in with a link by email')}</a></p>
`;
    const title = say('This link does not work');
    return framedAnswer(parts, context, { page: 'linkGone', title, main }, 403);
  };

  function take(request: Request, form: { readonly once: string | null }) {
    return unlessLeft((leave: Leave<'elsewhere'>) =>
      write(async (transaction) => {
        const taken = await tokens.takeForForm<Link>(
          transaction,
          'log-in link',
          readToken(request),
          form,
        );
        if (taken !== null && !hasAsked(request, taken.data)) throw leave('elsewhere');
        const now =
          taken?.accountId == null ? null : await store.lock(transaction, taken.accountId);
        const isSame = now?.disabledAt === null && now.version === taken?.data.version;
        return isSame ? now : null;
      }),
    );
  }
}

function addAddressPages(router: Router<PageContext, never>, parts: AccountParts): void {
  const { options, store, tokens } = parts;
  const byAddress = options.names === 'email';
  formPage(
    router,
    '/account/email',
    defineForm({ email: addressField('Enter an email address') }),
    {
      button: text('Send a link'),
      middleware: [requireSession, parts.requireRecent],
      check: parts.countMail,
      show({ formHtml, session, ...context }) {
        const say = sayIn(context.request);
        const now =
          session.user.email === null
            ? null
            : html`<p>${say('Your email address is {email}.', { email: session.user.email })}</p>\n`;
        const main = html`${now}<p>${say('We will send a link to the new address. It becomes your address once you open the link.')}</p>\n${formHtml}${linkToAccount(context.request)}`;
        return frame(
          parts,
          { session, ...context },
          { page: 'changeAddress', title: say('Email address'), main, formHtml },
        );
      },
      async send({ request, session, transaction, values: { email } }) {
        const { id: accountId } = await store.lockOpen(transaction, session);
        await tokens.remove(transaction, accountId, ['new address']);
        const token = await tokens.create(transaction, 'new address', {
          accountId,
          data: { email },
          lifetime: DAY,
        });
        await mailLink(options, transaction, request, {
          to: email ?? '',
          subject: text('Confirm your address at {site}'),
          text: text(
            'To confirm this address for your account at {site}, open this link within 24 hours:',
          ),
          path: localPath(`/account/email/confirm?token=${token}`),
        });
        return localPath('/mail-sent');
      },
    },
  );

  formPage(router, '/account/email/confirm', defineForm({}), {
    button: text('Confirm the address'),
    headers: TOKEN_PAGE,
    async load({ request }) {
      return {
        found: await tokens.find<{ readonly email: string }>('new address', readToken(request)),
      };
    },
    show({ formHtml, found, isSent, ...context }) {
      if (found === null && !isSent) return showLinkGone(parts, context);
      const say = sayIn(context.request);
      const main = html`${found === null ? null : html`<p>${found.data.email}</p>\n`}${formHtml}`;
      return frame(parts, context, {
        page: 'confirmAddress',
        title: say('Confirm the address'),
        main,
        formHtml,
      });
    },
    async send({ request, session, transaction }) {
      const gone = {
        errors: [{ field: null, message: text('This link does not work') }],
        status: 404,
      } as const;
      // Before the row of one account, as everywhere: otherwise two could wait for each other.
      await store.lockAll(transaction);
      const taken = await tokens.take<{ readonly email: string }>(
        transaction,
        'new address',
        readToken(request),
      );
      const account =
        taken?.accountId == null ? null : await store.lock(transaction, taken.accountId);
      if (account === null || taken === null || !isUsable(account)) return gone;
      const { email } = taken.data;
      const others = [
        await store.find({ email }, transaction),
        byAddress ? await store.find({ username: email }, transaction) : null,
      ];
      // It does not say that another account has the address.
      if (others.some((other) => other !== null && other.id !== account.id)) return gone;
      await store.change(
        transaction,
        account.id,
        {
          email,
          email_key: toNameKey(email),
          ...(byAddress ? { username: email, username_key: toNameKey(email) } : {}),
        },
        true,
      );
      // With the address one can log in, and choose a new password: by links to the former one, too.
      await store.endSessions(transaction, account.id, session?.key);
      await tokens.remove(transaction, account.id, ENDED_KINDS);
      // The former address is told: its owner may be somebody else than who changed it.
      await parts.tell(transaction, request, account, { kind: 'address changed', detail: email });
      return { path: localPath('/account'), message: sayIn(request)('The address is confirmed.') };
    },
  });
}
