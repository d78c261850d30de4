/** Checks the ways to sign in: reads the list of breached passwords, and asks the company what it says of itself. */
import { COMPANY_RETURN, openSignIn } from '../../application/accounts/sign-in.ts';
import type { Config, Environment } from '../../application/settings/config.ts';
import { StartError } from '../../application/settings/start-error.ts';
import { bad, type Finding, good, note } from './finding.ts';

export async function examineSignIn(
  config: Config,
  environment: Environment,
): Promise<readonly Finding[]> {
  try {
    const { providers = [] } = await openSignIn(config);
    const asked = await Promise.all(providers.map((one) => examineCompany(one, config)));
    return [good(describeWays(config)), ...findUnwise(config, environment).map(note), ...asked];
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [bad(toSentence(error.message))];
  }
}

type Provider = NonNullable<Awaited<ReturnType<typeof openSignIn>>['providers']>[number];

/** The site works without the company, so an answer that is missing is a note. */
async function examineCompany(provider: Provider, { publicOrigin }: Config): Promise<Finding> {
  const { issuer, name } = provider;
  const redirectUri = `${publicOrigin ?? 'http://localhost'}${COMPANY_RETURN}`;
  const begun = await provider.begin({ redirectUri });
  if (begun.kind === 'away') {
    return note(
      toSentence(
        `nobody can log in with ${name} now, because ${issuer} cannot be used: ${begun.detail}`,
      ),
    );
  }
  const where = publicOrigin === null ? COMPANY_RETURN : redirectUri;
  return good(`${issuer} answers; it must know ${where} as an address to come back to.`);
}

const OR = new Intl.ListFormat('en', { type: 'disjunction' });

function describeWays({ signIn }: Config): string {
  const { passkeys, oneTimeCodes, secondFactorFor, company } = signIn;
  const passkey = passkeys ? ['a passkey'] : [];
  const code = oneTimeCodes ? ['a one-time code'] : [];
  const account = company === null ? [] : [`an account of ${company.name}`];
  const ways = OR.format(['a password', ...passkey, ...account]);
  const factors = [...code, ...passkey];
  if (factors.length === 0) return `people log in with ${ways}; there is no second factor.`;
  const needed =
    secondFactorFor.length === 0
      ? 'no role needs it'
      : `these roles need it: ${secondFactorFor.join(', ')}`;
  return `people log in with ${ways}; the second factor is ${OR.format(factors)}, and ${needed}.`;
}

function findUnwise(
  { publicOrigin, production, signIn }: Config,
  environment: Environment,
): readonly string[] {
  const notes: string[] = [];
  if (signIn.passkeys && publicOrigin === null) {
    notes.push(
      'PUBLIC_ORIGIN is not set: browsers have passkeys over https and on localhost alone.',
    );
  }
  if (!signIn.passkeys && environment['PASSKEYS'] !== '0' && publicOrigin !== null) {
    notes.push(
      `there are no passkeys at ${publicOrigin}: browsers have them over https and on localhost, at a name.`,
    );
  }
  if (production && signIn.secondFactorFor.length === 0) {
    notes.push(
      'SECOND_FACTOR_FOR is not set: whoever knows the password of an administrator can do everything. Set it to administrator.',
    );
  }
  if (signIn.company !== null && publicOrigin === null) {
    notes.push(
      'PUBLIC_ORIGIN is not set: the address to which the company sends people back is the one that they typed, and the company must know it.',
    );
  }
  const lone = Object.keys(environment).find(
    (name) => name.startsWith('OPENID_') && environment[name],
  );
  if (lone !== undefined && !environment['OPENID_ISSUER']) {
    notes.push(`${lone} is set and OPENID_ISSUER is not, so nobody logs in with a company.`);
  }
  return notes;
}

function toSentence(text: string): string {
  return `${text.replaceAll(/\s*\p{Cc}\s*/gu, ' ').replace(/\.$/, '')}.`;
}
