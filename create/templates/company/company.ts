/** The log-in with a company account, by OpenID Connect. Its name, and what else it can do, are in the guide. */
import type { AccountProvider } from 'seeother/accounts';
import { openId } from 'seeother/openid';
import { readSetting } from './settings.ts';

/** Empty without its settings, while you develop. */
export function openCompanies(): readonly AccountProvider[] {
  const issuer = readSetting('OPENID_ISSUER', 'https://login.example');
  const clientId = readSetting('OPENID_CLIENT_ID', 'items');
  const clientSecret = readSetting('OPENID_CLIENT_SECRET', 'what the company has given you');
  if (!issuer || !clientId || !clientSecret) return [];
  // The name of the company alone: the button says "Log in with your company".
  const name = 'your company';
  return [openId({ id: 'company', name, issuer, clientId, clientSecret })];
}
