/**
 * The pages on the way to a company's sign-in and back. A form begins, so no other site can. A page leads on to the
 * provider, because browsers apply the policy `form-action` to the redirects of a form too. An answer that comes as a
 * post of another site, to which the browser adds no cookie, is stored, and a GET of this site goes on with it.
 */
import { notA, requireUncompressed } from '../form/read-form.ts';
import { readBody } from '../http/body.ts';
import { externalUrl, type Href, localPath, withPair, withQuery } from '../http/href.ts';
import { html } from '../http/html.ts';
import type { ErrorStatus } from '../http/http-error.ts';
import { isFormType } from '../http/media-type.ts';
import type { Request } from '../http/request.ts';
import { page, type Response, seeOther, withHeader } from '../http/response.ts';
import type { AccountText } from '../language/account-texts.ts';
import { acceptCrossOrigin } from '../middleware/accept-cross-origin.ts';
import { limitRate } from '../middleware/limit-rate.ts';
import type { Refused } from '../openid/provider.ts';
import type { Router } from '../router/router.ts';
import { LOG_IN_CHALLENGE } from '../session/require-session.ts';
import { isToken, toTokenKey } from '../session/token.ts';
import type { AccountProvider } from './account-options.ts';
import type { AccountParts, PageContext } from './account-parts.ts';
import { frame, framedAnswer } from './frame.ts';
import { readToken } from './link-gone.ts';
import { withNext } from './log-in.ts';
import { drawOtherWays } from './other-ways.ts';
import { pathOf } from './provider-buttons.ts';
import type { ProviderParts } from './provider-parts.ts';
import type { Arrived, Known, Purpose } from './provider-sign-in.ts';
import { sayIn, text } from './say.ts';

/** Bytes of a form that brings an answer, or a log-out. */
const FORM_LIMIT = 32_000;
const QUARTER = 15 * 60_000;
/** Seconds between the clocks of the site and of the provider. */
const CLOCK_TOLERANCE = 60;

export function addProviderPages(
  router: Router<PageContext, never>,
  parts: AccountParts,
  company: ProviderParts,
): void {
  const { options, logIn } = parts;
  const { signIns, accounts } = company;
  // A whole office may have one address.
  const limit = limitRate({ within: QUARTER, maxPerNetwork: 300 });

  for (const provider of options.providers) {
    const path = pathOf(provider);
    router.register('POST', path, [limit], async (context) => {
      const { request, session } = context;
      const isAgain = request.query.has('again') && session !== null;
      const purpose: Purpose = isAgain
        ? { kind: 'log in again', accountId: session.user.id }
        : { kind: 'log in', accountId: null };
      const invitation = readToken(request);
      // Its page says as whom one is logged in.
      if (session !== null && isToken(invitation))
        return seeOther(withNext(request, withQuery('/register', `token=${invitation}`)));
      const ticket = isToken(invitation) ? toTokenKey(invitation) : null;
      return beginSignIn(parts, company, context, provider, { purpose, ticket });
    });
    // Of somebody who reloads: only a form begins.
    router.register('GET', path, [], ({ request }) => seeOther(withNext(request, '/login')));

    router.register('GET', `${path}/go`, [], async (context) => {
      const { request } = context;
      const url = await signIns.findUrl(request, provider);
      if (url === null) return seeOther(localPath('/login'));
      const say = sayIn(request);
      const main = html`<p><a href="${externalUrl(url).href}">${say('Continue')}</a></p>\n`;
      const title = say('Continue to your company’s log-in');
      const shown = page(await frame(parts, context, { page: 'provider', title, main }));
      return withHeader(shown, 'Refresh', `0;url=${url}`);
    });

    router.register('POST', `${path}/return`, [acceptCrossOrigin], async ({ request }) => {
      const params = await readForm(request);
      const state = params.get('state') ?? '';
      if (isToken(state)) await signIns.park(provider, state, params.toString());
      return seeOther(localPath(`${path}/return?parked=${isToken(state) ? state : ''}`));
    });

    router.register('GET', `${path}/return`, [], async (context) => {
      const { request } = context;
      const arrived = await signIns.arrive(request, provider);
      if (arrived === null) return refuse(context, 'expired', request);
      const { asked, outcome, purpose } = arrived;
      if (outcome.kind !== 'signed in') {
        const reason = outcome.kind === 'away' ? 'away' : outcome.reason;
        const detail = `${provider.id}, ${reason}: ${outcome.detail}`;
        await noteFailed(parts, request, purpose.accountId, detail);
        return refuse(context, reason, asked);
      }
      return purpose.kind === 'link'
        ? link(context, arrived, outcome)
        : goOn(context, provider, arrived, outcome);
    });
  }

  async function goOn(
    context: PageContext,
    provider: AccountProvider,
    arrived: Arrived,
    known: Known,
  ): Promise<Response> {
    const { request } = context;
    const { asked, at, begunAt, purpose } = arrived;
    const isAgain = purpose.kind === 'log in again';
    const sinceBegun = (known.authenticatedAt?.getTime() ?? 0) - begunAt.getTime();
    if (isAgain && sinceBegun < -CLOCK_TOLERANCE * 1_000)
      return refuse(context, known.authenticatedAt === null ? 'no time' : 'not again', asked);
    const led = await accounts.lead(request, provider, arrived, known);
    if (led.kind === 'account') {
      const { issuer, subject, sessionId } = known;
      return logIn.proved(request, led.account, {
        method: 'provider',
        isWhole: known.twoFactors,
        ...{ asked, isAgain },
        provider: { issuer, subject, sessionId, at: at.toISOString() },
      });
    }
    if (led.kind === 'to link') {
      const next = asked.query.get('next');
      const confirm = `/account/providers/confirm?token=${led.token}`;
      const path = next === null ? confirm : withPair(confirm, 'next', next);
      return showToLink(context, localPath(path));
    }
    const accountId = led.kind === 'disabled' ? led.account.id : purpose.accountId;
    const detail = `${provider.id}, ${led.kind}`;
    await noteFailed(parts, request, accountId, detail);
    return refuse(context, led.kind, asked);
  }

  /** For a user who was logged in when the way began, and still is. */
  async function link(context: PageContext, arrived: Arrived, known: Known): Promise<Response> {
    const { request, session } = context;
    if (session === null || session.user.id !== arrived.purpose.accountId)
      return refuse(context, 'expired', arrived.asked);
    const isLinked = await parts.write(async (transaction) => {
      const account = await parts.store.lockOpen(transaction, session);
      return accounts.link(transaction, request, account, known, session.key);
    });
    if (!isLinked) return refuse(context, 'another account', arrived.asked);
    return seeOther(localPath('/account/providers'));
  }

  /** The account is not linked by its address alone: somebody else may get the address, at the company or here. */
  async function showToLink(context: PageContext, path: Href): Promise<Response> {
    if (context.session !== null) return seeOther(path);
    const say = sayIn(context.request);
    const main = html`<p>${say('An account here already has your address. Log in to it once as usual; then you can link your company account.')}</p>
<p><a href="${withPair('/login', 'next', path)}">${say('Log in')}</a></p>
`;
    const title = say('Link your company account');
    return page(await frame(parts, context, { page: 'provider', title, main }));
  }

  async function refuse(context: PageContext, reason: Reason, asked: Pick<Request, 'query'>) {
    return showRefused(parts, context, reason, asked);
  }
}

/** The form's 303 leads to a page that leads to the provider. */
export async function beginSignIn(
  parts: AccountParts,
  { signIns }: ProviderParts,
  context: PageContext,
  provider: AccountProvider,
  wanted: { readonly purpose: Purpose; readonly ticket: string | null },
): Promise<Response<303 | ErrorStatus>> {
  const { request } = context;
  const begun = await signIns.begin(request, provider, wanted);
  if ('kind' in begun) {
    const { accountId } = wanted.purpose;
    const detail = `${provider.id}, away: ${begun.detail}`;
    await noteFailed(parts, request, accountId, detail);
    return showRefused(parts, context, 'away', request);
  }
  return begun.bind(seeOther(localPath(`${pathOf(provider)}/go?state=${begun.state}`)));
}

async function noteFailed(
  { note, store }: Pick<AccountParts, 'note' | 'store'>,
  request: Request,
  id: number | null,
  detail: string,
): Promise<void> {
  const account = id === null ? null : await store.find({ id });
  await note({ account, kind: 'log-in failed', detail, request });
}

type Reason =
  | Refused['reason']
  | 'away'
  | 'no account'
  | 'no address'
  | 'not linked'
  | 'another account'
  | 'disabled'
  | 'no time'
  | 'not again';

const REASONS: Readonly<Record<Reason, readonly [ErrorStatus, AccountText]>> = {
  away: [
    503,
    text(
      'We can’t reach your company’s log-in right now. Try again in a few minutes, or log in another way.',
    ),
  ],
  denied: [401, text('The log-in was cancelled, or your company refused it.')],
  expired: [
    401,
    text(
      'This log-in has expired, was already used, or was started in another browser. Start again.',
    ),
  ],
  invalid: [401, text('The answer of your company does not belong to this log-in. Start again.')],
  'not allowed': [403, text('Your company account may not log in here. Ask an administrator.')],
  'no account': [
    403,
    text(
      'There is no account here for your company account. Ask an administrator for an invitation. If you have an account, log in to it and link your company account there.',
    ),
  ],
  'no address': [
    403,
    text(
      'Your company account has no confirmed address, so no account was created here. Ask an administrator.',
    ),
  ],
  'not linked': [
    403,
    text('This company account is linked to no account here now. Log in another way.'),
  ],
  'another account': [403, text('This company account belongs to another account here.')],
  disabled: [403, text('Your account here is disabled. Ask an administrator.')],
  'no time': [401, text('Your company does not say when you logged in there. Log in another way.')],
  'not again': [401, text('Your company did not ask you to log in again. Log in another way.')],
};

/** Why somebody is not logged in, and the other ways. `asked` has the path that follows. */
async function showRefused(
  parts: AccountParts,
  context: PageContext,
  reason: Reason,
  asked: Pick<Request, 'query'>,
): Promise<Response<ErrorStatus>> {
  const say = sayIn(context.request);
  const [status, why] = REASONS[reason];
  const main = html`<p>${say(why)}</p>
<p><a href="${withNext(asked, '/login')}">${say('Log in')}</a></p>
${await drawOtherWays(parts, context, asked)}`;
  const title = say('You are not logged in with your company account');
  const answer = await framedAnswer(parts, context, { page: 'provider', title, main }, status);
  return status === 401
    ? withHeader(answer, 'WWW-Authenticate', LOG_IN_CHALLENGE['WWW-Authenticate'])
    : answer;
}

/** What another site has sent as a form. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers['content-type'];
  if (!isFormType(type)) throw notA('application/x-www-form-urlencoded in UTF-8', type);
  requireUncompressed(request);
  return new URLSearchParams(new TextDecoder().decode(await readBody(request, FORM_LIMIT)));
}
