/**
 * The pages of the company accounts that log in to one's own account: to link one, to confirm one whose address led
 * here, and to remove one, unless nothing else logs in.
 */
import { hiddenField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { localPath } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { toLocalPath } from '../http/local-path.ts';
import type { Router } from '../router/router.ts';
import { requireSession } from '../session/require-session.ts';
import { formPage } from '../site/form-page.ts';
import type { AccountParts, PageContext, UserContext } from './account-parts.ts';
import { frame, linkToAccount } from './frame.ts';
import type { Identity } from './identities.ts';
import { drawInstant } from './instants.ts';
import { readToken, showLinkGone, TOKEN_PAGE } from './link-gone.ts';
import type { WaitingLink } from './provider-accounts.ts';
import { beginSignIn } from './provider-pages.ts';
import type { ProviderParts } from './provider-parts.ts';
import { toPublicId } from './public-id.ts';
import { sayIn, text } from './say.ts';
import { LAST_WAY_IN } from './ways-in.ts';

const PAGE = '/account/providers';

export function addLinkedProviderPages(
  router: Router<PageContext, never>,
  parts: AccountParts,
  company: ProviderParts,
): void {
  const { options, store, tokens } = parts;
  const { accounts, identities, signIns } = company;
  const middleware = [requireSession, parts.requireRecent] as const;
  const nameOf = ({ issuer }: Pick<Identity, 'issuer'>) =>
    options.providers.find((one) => one.issuer === issuer)?.name ?? issuer;

  formPage(router, PAGE, defineForm({ id: hiddenField() }), {
    button: text('Remove'),
    middleware,
    fill: ({ request }) => ({ id: request.query.get('id') ?? '' }),
    async show({ formHtml, form: filled, ...context }) {
      const { request, session } = context as UserContext;
      const say = sayIn(request);
      const linked = await identities.list(session.user.id);
      const chosen = linked.find((one) => toIdentityId(one) === filled.text.id);
      const question =
        chosen === undefined
          ? null
          : html`<h2>${say('Remove {provider}?', { provider: nameOf(chosen) })}</h2>\n${formHtml}`;
      const others = options.providers.filter(({ issuer }) =>
        linked.every((one) => one.issuer !== issuer),
      );
      const main = html`${linked.length === 0 ? html`<p>${say('No company account is linked to your account.')}</p>\n` : null}<ul>
${linked.map((one): Html => html`<li>${nameOf(one)}, ${drawInstant(options, one.createdAt, request)} <a href="?id=${toIdentityId(one)}">${say('Remove')}</a></li>\n`)}</ul>
${question}${others.length === 0 ? null : html`<h2>${say('Link a company account')}</h2>\n`}${others.map(({ id, name }): Html => html`<form method="post" action="${PAGE}/link/${id}"><button>${name}</button></form>\n`)}${linkToAccount(request)}`;
      return frame(parts, context, {
        page: 'providers',
        title: say('Company accounts'),
        main,
        formHtml,
      });
    },
    async send({ request, session, transaction, values: { id } }) {
      const account = await store.lockOpen(transaction, session);
      const linked = await identities.list(session.user.id, transaction);
      const chosen = linked.find((one) => toIdentityId(one) === id);
      const done = {
        path: localPath(PAGE),
        message: sayIn(request)('The company account was removed.'),
      };
      if (chosen === undefined) return done;
      await identities.remove(transaction, chosen);
      if (!(await parts.hasWayIn(transaction, account))) return LAST_WAY_IN;
      await store.change(transaction, account.id, {}, true);
      await store.endSessions(transaction, account.id, session.key);
      await parts.tell(transaction, request, account, {
        kind: 'provider removed',
        detail: chosen.issuer,
      });
      return done;
    },
  });

  for (const provider of options.providers) {
    const path = `${PAGE}/link/${provider.id}` as '/account/providers/link/company';
    router.register('POST', path, middleware, (context) => {
      const { session } = context as UserContext;
      const purpose = { kind: 'link', accountId: session.user.id } as const;
      return beginSignIn(parts, company, context, provider, { purpose, ticket: null });
    });
  }

  formPage(router, `${PAGE}/confirm`, defineForm({}), {
    button: text('Link it'),
    middleware,
    headers: TOKEN_PAGE,
    async load({ request, session }) {
      const found = await tokens.find<WaitingLink>('provider link', readToken(request));
      const isMine =
        found?.accountId === session.user.id && found.data.browser === signIns.browserOf(request);
      return { waiting: isMine ? found.data : null };
    },
    show({ formHtml, waiting, isSent, ...context }) {
      if (waiting === null && !isSent) return showLinkGone(parts, context);
      const say = sayIn(context.request);
      const { name } = (context as UserContext).session.user;
      const question =
        waiting === null
          ? null
          : html`<p>${say('After that, {address} at {provider} logs you in to your account {name}.', { address: waiting.email, provider: nameOf(waiting), name })}</p>\n`;
      return frame(parts, context, {
        page: 'provider',
        title: say('Link your company account'),
        main: html`${question}${formHtml}`,
        formHtml,
      });
    },
    async send({ request, session, transaction }) {
      const gone = {
        errors: [{ field: null, message: text('This link does not work') }],
        status: 404,
      } as const;
      const { user, key } = session;
      const taken = await tokens.take<WaitingLink>(
        transaction,
        'provider link',
        readToken(request),
      );
      const account = await store.lockOpen(transaction, session);
      const isMine =
        taken?.accountId === user.id && taken.data.browser === signIns.browserOf(request);
      if (!isMine) return gone;
      if (!(await accounts.link(transaction, request, account, taken.data, key))) return gone;
      return {
        path: toLocalPath(request.query.get('next')) ?? localPath(PAGE),
        message: sayIn(request)('Your company account is linked.'),
      };
    },
  });
}

function toIdentityId({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string {
  return toPublicId(JSON.stringify([issuer, subject]));
}
