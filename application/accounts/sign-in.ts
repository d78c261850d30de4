/**
 * The ways to sign in that the settings ask for, as options of `createAccounts`. Their packages are loaded only then:
 * most installations have a password alone.
 */
import { type AccountOptions, createNewPasswords } from 'seeother/accounts';
import type { WriteTransaction } from 'seeother/database';
import type { Claims, OpenIdOptions } from 'seeother/openid';
import type { Config } from '../settings/config.ts';
import { ROLES, type Role } from '../settings/role.ts';
import type { CompanyConfig, RoleClaim } from '../settings/sign-in-settings.ts';
import { StartError } from '../settings/start-error.ts';

export type SignIn = Pick<
  AccountOptions<WriteTransaction, Role>,
  'totp' | 'passkeys' | 'providers' | 'secrets' | 'secondFactorFor' | 'passwords'
>;

/** The part of the addresses of its pages: /login/with/company. */
const COMPANY = 'company';
/** Where the company sends people back to; it has to know the address. */
export const COMPANY_RETURN = `/login/with/${COMPANY}/return`;

/** Throws a StartError for a list of passwords that cannot be read, and for an issuer that can never work. */
export async function openSignIn({
  signIn,
  siteName,
}: Pick<Config, 'signIn' | 'siteName'>): Promise<SignIn> {
  const { secrets, secondFactorFor, breachedPasswords, company } = signIn;
  return {
    secondFactorFor,
    ...(secrets.length > 0 && { secrets }),
    ...(signIn.oneTimeCodes && { totp: (await import('seeother/totp')).totp() }),
    ...(signIn.passkeys && {
      passkeys: (await import('seeother/passkeys')).passkeys({ name: siteName }),
    }),
    ...(breachedPasswords !== null && { passwords: openBreached(breachedPasswords) }),
    ...(company !== null && { providers: [await openCompany(company)] }),
  };
}

function openBreached(breached: string): NonNullable<SignIn['passwords']> {
  try {
    // `createAccounts` opens it too, where an error would be a bug.
    createNewPasswords({ breached });
  } catch (error) {
    throw refuse(`BREACHED_PASSWORDS=${breached}`, error);
  }
  return { accepted: { breached } };
}

/** The company's provider. It is asked for nothing before somebody signs in. */
export async function openCompany(
  company: CompanyConfig,
): Promise<NonNullable<SignIn['providers']>[number]> {
  const { openId } = await import('seeother/openid');
  try {
    return { ...openId(toOpenIdOptions(company)), register: company.register };
  } catch (error) {
    throw refuse(`OPENID_ISSUER=${company.issuer}`, error);
  }
}

function toOpenIdOptions({ clientSecret, roles, twoFactors, ...company }: CompanyConfig) {
  const { issuer, clientId, name, scopes } = company;
  return {
    ...{ id: COMPANY, name, issuer, clientId, scopes },
    ...(clientSecret !== null && { clientSecret }),
    ...(roles !== null && { role: (claims) => toRole(claims, roles) }),
    ...(twoFactors && { twoFactors: hasTwoFactors }),
  } satisfies OpenIdOptions;
}

/** The highest role that a value of the claim gives; the lowest one for somebody who has none of the values. */
export function toRole(claims: Claims, { claim, roles }: RoleClaim): Role {
  const said = claims[claim];
  const values: readonly unknown[] = Array.isArray(said) ? said : [said];
  const given = Object.entries(roles).filter(([value]) => values.includes(value));
  return ROLES.findLast((role) => given.some(([, one]) => one === role)) ?? ROLES[0];
}

/** By the authentication methods of RFC 8176. */
export function hasTwoFactors({ amr }: Claims): boolean {
  return Array.isArray(amr) && amr.includes('mfa');
}

function refuse(setting: string, error: unknown): StartError {
  const why = error instanceof Error ? error.message : String(error);
  return new StartError(`Cannot start with ${setting}: ${why}`);
}
