/**
 * What the pages of passkeys share: the forms that ask for one, and the proof by its answer. Nothing is asked where
 * browsers have no passkeys.
 */
import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { type Html, html } from '../http/html.ts';
import type { Request } from '../http/request.ts';
import { withHeader } from '../http/response.ts';
import { Slot } from '../http/slot.ts';
import { passkeyForm } from '../passkeys/passkey-form.ts';
import type { Passkeys } from '../passkeys/passkeys.ts';
import type { VerifiedSignIn } from '../passkeys/verify-sign-in.ts';
import { readHostCookie, withHostCookie } from '../session/host-cookie.ts';
import { createToken, isToken } from '../session/token.ts';
import type { Account, AccountContext } from './account.ts';
import { type CheckedOptions, originOf } from './account-options.ts';
import type { AccountPasskeys, Passkey } from './account-passkeys.ts';
import type { AccountStore } from './account-store.ts';
import { type Asked, withNext } from './log-in.ts';
import type { PasskeyQuestions, PasskeyUse } from './passkey-questions.ts';
import { sayIn } from './say.ts';

/** What a form sends: the signed question, and the answer to it. */
export interface Answered {
  readonly asked: string;
  readonly response: string;
}

/** A passkey that has answered; whether its counter has grown is known when it is used. */
export interface Proved {
  readonly challenge: string;
  readonly passkey: Passkey;
  readonly verified: VerifiedSignIn;
}

export interface PasskeyWays {
  readonly engine: Passkeys;
  readonly store: AccountPasskeys;
  readonly questions: PasskeyQuestions;
  /** Null where browsers have no passkeys. */
  readonly originOf: (request: Request) => string | null;
  /** Names the browser by a cookie, so that a question of its log-in page is answered in no other. */
  readonly nameBrowser: Middleware<unknown, unknown>;
  /** The form of the log-in page, behind `nameBrowser`. */
  readonly drawLogIn: (context: AccountContext, asked: Asked) => Promise<Html | null>;
  /** The form of the second factor of a log-in that waits; null if the account has no passkey. */
  readonly drawSecond: (
    context: AccountContext,
    account: Account,
    waiting: string,
  ) => Promise<Html | null>;
  /** The use of an answer to the form of the log-in page. */
  readonly logInUse: (request: Request) => PasskeyUse;
  /** `expired`: the question was not asked here, or too long ago. Null unless a passkey of an account has answered. */
  readonly prove: (
    request: Request,
    answered: Answered,
    use: PasskeyUse,
    accountId?: number,
  ) => Promise<Proved | 'expired' | null>;
}

const BROWSER = 'passkey';
const DAY = 86_400;

/** The token of the browser. */
const browserSlot: Slot<string> = new Slot('');

export function createPasskeyWays({
  options,
  engine,
  accounts,
  store,
  questions,
}: {
  readonly options: Pick<CheckedOptions, 'publicOrigin'>;
  readonly engine: Passkeys;
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly store: AccountPasskeys;
  readonly questions: PasskeyQuestions;
}): PasskeyWays {
  const findOrigin = (request: Request): string | null => {
    const text = originOf(options, request);
    // A host may be written in capitals.
    const origin = URL.canParse(text) ? new URL(text).origin : null;
    return origin !== null && engine.isPossibleAt(origin) ? origin : null;
  };
  const logInUse = (request: Request): PasskeyUse => ({
    kind: 'log-in',
    browser: browserSlot.of(request),
  });
  return {
    engine,
    store,
    questions,
    originOf: findOrigin,
    logInUse,
    nameBrowser: describeMiddleware(
      async function nameBrowser(context, next) {
        const { request } = context;
        const [known = '', ...others] = readHostCookie(request, BROWSER);
        // Somebody may have planted one of two.
        const token = others.length === 0 && isToken(known) ? known : createToken();
        browserSlot.set(request, token);
        const answer = await next(context);
        // The browser stores a refused form for Back, and no answer with a cookie.
        const isKnown = token === known && answer.status !== 200;
        if (isKnown || findOrigin(request) === null) return answer;
        const cookie = { name: BROWSER, value: token, maxAge: DAY };
        return withHeader(withHostCookie(answer, request, cookie), 'Cache-Control', 'no-store');
      },
      { needs: [], adds: [] },
    ),
    async drawLogIn(context, asked) {
      const { request } = context;
      const origin = findOrigin(request);
      if (origin === null) return null;
      const { challenge, options: asks } = await engine.toSignIn({ origin });
      return passkeyForm(context, {
        asks: 'sign-in',
        options: asks,
        action: withNext(asked, '/login/passkey'),
        button: sayIn(request)('Log in with a passkey'),
        fields: askedField(await questions.sign(challenge, logInUse(request))),
        isConditional: true,
      });
    },
    async drawSecond(context, { id }, waiting) {
      const { request } = context;
      const origin = findOrigin(request);
      const allow = await store.list(id);
      if (origin === null || allow.length === 0) return null;
      const { challenge, options: asks } = await engine.toSignIn({ origin, allow });
      const asked = await questions.sign(challenge, { kind: 'second factor', waiting });
      return passkeyForm(context, {
        asks: 'sign-in',
        options: asks,
        action: withNext(request, '/login/second-factor/passkey'),
        button: sayIn(request)('Use a passkey'),
        fields: askedField(asked),
      });
    },
    async prove(request, { asked, response }, use, accountId) {
      const challenge = await questions.open(asked, use);
      if (challenge === null) return 'expired';
      const origin = findOrigin(request);
      const claim = engine.readClaim(response);
      const passkey = claim === null ? null : await store.find(claim.id);
      const account = passkey === null ? null : await accounts.find({ id: passkey.accountId });
      if (origin === null || passkey === null || account === null) return null;
      if (accountId !== undefined && account.id !== accountId) return null;
      const { id, publicKey } = passkey;
      const verified = await engine.verifySignIn({
        origin,
        challenge,
        response,
        // The counter is compared where it is stored: another log-in may come between.
        stored: { id, publicKey, counter: 0 },
        userHandle: account.handle,
        isUserKnown: accountId !== undefined,
      });
      return verified === null ? null : { challenge, passkey, verified };
    },
  };
}

export function askedField(asked: string): Html {
  return html`<input type="hidden" name="asked" value="${asked}">`;
}
