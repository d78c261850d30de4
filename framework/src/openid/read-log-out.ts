/**
 * Log-out tokens that a provider sends when a session ends there (OpenID Connect Back-Channel Logout 1.0). Their type
 * and claims keep other tokens of the same provider out: an ID token has no such event, and may have a nonce.
 * The standard only recommends the type; older versions of some providers send `JWT`, and are refused.
 */
import { type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { refuse } from './ask-provider.ts';
import { CLOCK_TOLERANCE } from './discover.ts';
import type { LogOut, Refused } from './provider.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Seconds for the way from the provider, with its second attempt. */
const MAX_AGE = 300;
export async function readLogOut(
  token: string,
  from: { readonly issuer: string; readonly clientId: string; readonly keys: JWTVerifyGetKey },
): Promise<LogOut | Refused> {
  // With a set of keys, the library accepts asymmetric signatures alone: not `none`, nor one by the client's secret.
  const { payload } = await jwtVerify(token, from.keys, {
    typ: 'logout+jwt',
    issuer: from.issuer,
    audience: from.clientId,
    maxTokenAge: MAX_AGE,
    clockTolerance: CLOCK_TOLERANCE,
  });
  const problem = findProblem(payload);
  if (problem !== null) return refuse('invalid', `The log-out token ${problem}`);
  const { sub, sid, jti, iat } = payload as {
    sub?: string;
    sid?: string;
    jti: string;
    iat: number;
  };
  return {
    kind: 'log out',
    issuer: from.issuer,
    subject: sub ?? null,
    sessionId: sid ?? null,
    id: jti,
    endsAt: new Date((iat + MAX_AGE + CLOCK_TOLERANCE) * 1_000),
  };
}

function findProblem({ events, nonce, sub, sid, jti }: JWTPayload): string | null {
  const event = (events as Record<string, unknown> | undefined)?.[EVENT];
  if (typeof event !== 'object' || event === null) return 'does not tell of a log-out';
  if (nonce !== undefined) return 'has a nonce';
  if (!isName(jti)) return 'has no name';
  if (sub === undefined && sid === undefined) return 'names nobody';
  if (![sub, sid].every((name) => name === undefined || isName(name))) return 'has odd names';
  return null;
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= 255;
}
