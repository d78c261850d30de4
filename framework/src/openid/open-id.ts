/**
 * A company's sign-in by OpenID Connect: the code flow with PKCE, over `openid-client`, whose checks of an answer run
 * only for the values that it is given: with `undefined` for a state it expects none. So `finish` refuses an answer
 * without all three.
 */
import { createRemoteJWKSet, customFetch as fetchOfKeys } from 'jose';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import {
  checkOptions,
  FUNCTION,
  LIST,
  needed,
  type OptionKind,
  type OptionKinds,
  oneOf,
  TEXT,
} from '../http/check-options.ts';
import { createFetch, describe, refuse, TIMEOUT, toOutcome } from './ask-provider.ts';
import { createDiscovery } from './discover.ts';
import type { Away, Begun, LogOut, Provider, Refused, SignedIn, SignIn } from './provider.ts';
import { readLogOut } from './read-log-out.ts';

/** What a provider says of a person, under the names of OpenID Connect and its own. Trust no type of a value. */
export type Claims = Readonly<Record<string, unknown>>;

/** Options of `openId`. */
export interface OpenIdOptions {
  /** Part of the site's addresses, such as `company`. Small letters, digits and hyphens. */
  readonly id: string;
  /** The name of the company alone: texts add the rest, such as “Log in with Example”. */
  readonly name: string;
  /** As the provider writes it. Plain http only for this machine. */
  readonly issuer: string;
  readonly clientId: string;
  /** Left out for a client that the provider knows as public. */
  readonly clientSecret?: string;
  /** `openid`, `email` and `profile` by default. */
  readonly scopes?: readonly string[];
  /** How the answer comes: in the address, which is the default, or in a form that the browser posts. */
  readonly responseMode?: 'query' | 'form_post';
  /** Whether this person may sign in: everybody whom the provider knows, by default. */
  readonly allow?: (claims: Claims) => boolean;
  /** The role of this person on the site; null if the claims say nothing of it. */
  readonly role?: (claims: Claims) => string | null;
  /** Whether the address is the person's own: by default, whether `email_verified` is true. */
  readonly emailVerified?: (claims: Claims) => boolean;
  /** Whether the provider asked for a second factor, such as by `amr` or `acr`: no by default. */
  readonly twoFactors?: (claims: Claims) => boolean;
}

const ID: OptionKind = {
  noun: 'small letters, digits and hyphens',
  accepts: (value) => typeof value === 'string' && /^[a-z0-9][a-z0-9-]{0,39}$/.test(value),
  isShown: true,
};
const NAME: OptionKind = {
  noun: 'text',
  accepts: (value) => typeof value === 'string' && value !== '',
};
const KINDS = {
  id: needed(ID, "'company'"),
  name: needed(NAME, "'Example'"),
  issuer: needed(TEXT, "'https://id.example.com'"),
  clientId: needed(NAME),
  clientSecret: NAME,
  scopes: LIST,
  responseMode: oneOf('query', 'form_post'),
  allow: FUNCTION,
  role: FUNCTION,
  emailVerified: FUNCTION,
  twoFactors: FUNCTION,
} satisfies OptionKinds<OpenIdOptions>;

/** Characters of an answer. One with a long code and error has below 4,000. */
const ANSWER_LIMIT = 16_000;
/** Characters of a subject (OpenID Connect Core, section 2). */
const SUBJECT_LIMIT = 255;
/** Characters of a claim that is stored. */
const CLAIM_LIMIT = 320;

/** Throws a TypeError for options that can never work. It asks the provider for nothing yet. */
export function openId(options: OpenIdOptions): Provider {
  checkOptions('openId', options, KINDS);
  checkIssuer(options.issuer);
  const { id, name, issuer, clientId, clientSecret = null, responseMode = 'query' } = options;
  const scopes = new Set(['openid', ...(options.scopes ?? ['email', 'profile'])]);
  const discover = createDiscovery({ issuer, clientId, clientSecret });
  const findKeys = createKeys(issuer.startsWith('http:'));

  async function begin({
    redirectUri,
    again = false,
  }: Parameters<Provider['begin']>[0]): Promise<Begun | Away> {
    const sent = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    try {
      const url = buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri,
        scope: [...scopes].join(' '),
        state: sent.state,
        nonce: sent.nonce,
        code_challenge: await calculatePKCECodeChallenge(sent.verifier),
        code_challenge_method: 'S256',
        ...(responseMode === 'form_post' ? { response_mode: responseMode } : {}),
        ...(again ? { max_age: '0' } : {}),
      });
      return { kind: 'begun', url: url.href, ...sent };
    } catch (error) {
      return { kind: 'away', detail: describe(error) };
    }
  }

  async function finish({
    redirectUri,
    params,
    expected,
  }: Parameters<Provider['finish']>[0]): Promise<SignedIn | Refused | Away> {
    if (!isWhole(expected)) return refuse('expired', 'This browser has begun no sign-in');
    if (params.length > ANSWER_LIMIT) return refuse('invalid', 'The answer is too long');
    const address = new URL(redirectUri);
    address.search = new URLSearchParams(params).toString();
    let answer: Answer;
    try {
      answer = await redeem(await discover(), address, expected);
    } catch (error) {
      return toOutcome(error);
    }
    return toSignedIn(answer, issuer, options);
  }

  return {
    id,
    name,
    issuer,
    responseMode,
    begin,
    finish,
    async readLogOut(token): Promise<LogOut | Refused | Away> {
      if (token.length > ANSWER_LIMIT) return refuse('invalid', 'The log-out token is too long');
      try {
        const configuration = await discover();
        const { issuer: named } = configuration.serverMetadata();
        return await readLogOut(token, { issuer: named, clientId, keys: findKeys(configuration) });
      } catch (error) {
        return toOutcome(error);
      }
    },
    async logOutUrl({ returnTo, idToken }) {
      try {
        const configuration = await discover();
        if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
        const hint = idToken === undefined ? {} : { id_token_hint: idToken };
        return buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo, ...hint })
          .href;
      } catch {
        return null;
      }
    },
  };
}

/** Refuses what would weaken a check that the library makes. */
function checkIssuer(issuer: string): void {
  const url = URL.parse(issuer);
  const problem =
    url === null
      ? 'it is no address'
      : url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))
        ? 'it must begin with https://'
        : url.search !== '' || url.hash !== '' || url.username !== ''
          ? 'it must have neither a query nor a user'
          : url.pathname.includes('/.well-known/')
            ? 'leave out /.well-known/ and what follows'
            : url.hostname === 'login.microsoftonline.com' &&
                /^\/(common|organizations|consumers)(\/|$)/.test(url.pathname)
              ? 'it lets in everybody with an account at Microsoft; name your own tenant by its ID'
              : null;
  if (problem !== null) {
    throw new TypeError(
      `Cannot use ${JSON.stringify(issuer)} as the issuer of openId: ${problem}.`,
    );
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function isWhole(expected: SignIn | null): expected is SignIn {
  const values = [expected?.state, expected?.nonce, expected?.verifier];
  return values.every((value) => typeof value === 'string' && value !== '');
}

interface Answer {
  readonly claims: Claims;
  readonly subject: string;
  readonly idToken: string;
}

async function redeem(configuration: Configuration, address: URL, sent: SignIn): Promise<Answer> {
  const tokens = await authorizationCodeGrant(configuration, address, {
    expectedState: sent.state,
    expectedNonce: sent.nonce,
    pkceCodeVerifier: sent.verifier,
    idTokenExpected: true,
  });
  const ofToken = tokens.claims();
  if (ofToken === undefined || tokens.id_token === undefined)
    throw new Error('There is no ID token');
  const { userinfo_endpoint } = configuration.serverMetadata();
  // Providers put the address and the groups in either of the two. What is signed wins.
  const asked =
    userinfo_endpoint === undefined
      ? {}
      : await fetchUserInfo(configuration, tokens.access_token, ofToken.sub);
  return { claims: { ...asked, ...ofToken }, subject: ofToken.sub, idToken: tokens.id_token };
}

function toSignedIn(
  { claims, subject, idToken }: Answer,
  issuer: string,
  { allow, role, emailVerified, twoFactors }: OpenIdOptions,
): SignedIn | Refused {
  // The library accepts an empty one.
  if (subject === '' || subject.length > SUBJECT_LIMIT) {
    return refuse('invalid', 'The name of the account is empty or too long');
  }
  if (allow?.(claims) === false) return refuse('not allowed', `${subject} may not sign in`);
  const email = toText(claims['email']);
  const isVerified = emailVerified?.(claims) ?? claims['email_verified'] === true;
  const authenticatedAt = claims['auth_time'];
  return {
    kind: 'signed in',
    issuer,
    subject,
    email,
    emailVerified: email !== null && isVerified === true,
    name: toText(claims['name']),
    username: toText(claims['preferred_username']),
    role: role?.(claims) ?? null,
    sessionId: toText(claims['sid']),
    authenticatedAt: typeof authenticatedAt === 'number' ? new Date(authenticatedAt * 1_000) : null,
    twoFactors: twoFactors?.(claims) === true,
    idToken,
  };
}

function toText(claim: unknown): string | null {
  return typeof claim === 'string' && claim !== '' && claim.length <= CLAIM_LIMIT ? claim : null;
}

/** The keys of log-out tokens, once for each configuration. */
function createKeys(allowsHttp: boolean) {
  const known = new WeakMap<Configuration, ReturnType<typeof createRemoteJWKSet>>();
  return (configuration: Configuration) => {
    const found = known.get(configuration);
    if (found !== undefined) return found;
    const { jwks_uri } = configuration.serverMetadata();
    if (jwks_uri === undefined) throw new Error('The provider names no keys');
    const keys = createRemoteJWKSet(new URL(jwks_uri), {
      timeoutDuration: TIMEOUT,
      [fetchOfKeys]: createFetch(allowsHttp, TIMEOUT),
    });
    known.set(configuration, keys);
    return keys;
  };
}
