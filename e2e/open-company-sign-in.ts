/**
 * A small site whose people sign in at a provider of another site, which sends them back with a POST: the browser adds
 * no cookie to it, so the site stores what came and answers 303 to a GET.
 */
import {
  createMemoryStores,
  createSite,
  externalUrl,
  html,
  isToken,
  localPath,
  page,
  readHostCookie,
  readSigned,
  seeOther,
  startSession,
  toTokenKey,
  withHostCookie,
  withSession,
} from 'seeother';
import { openId, type Provider, type SignIn } from 'seeother/openid';
import { z } from 'zod';
import { startRealProvider } from '../framework/src/openid/real-provider.fixture.ts';
import type { Site } from './open-site.ts';
import { plainPage, serveSite } from './serve-site.ts';

export interface CompanySite extends Site {
  /** Whether the browser had sent a cookie of the site, for each request that came back from the provider. */
  readonly cookies: string[];
}

const MINUTES = 60_000;
const toKey = (state: string) => `sign-in:${toTokenKey(state)}`;

export async function openCompanySignIn(): Promise<CompanySite> {
  const cookies: string[] = [];
  const stores = createMemoryStores();
  let company: Provider;
  let redirectUri: string;

  const readReturn = readSigned(stores.receipts, {
    async scheme({ body, request: { headers } }) {
      cookies.push(`POST ${headers['cookie'] === undefined ? 'without' : 'with'}`);
      const params = new TextDecoder().decode(body);
      const state = new URLSearchParams(params).get('state') ?? '';
      if (!isToken(state) || (await stores.values.find(toKey(state))) === null) return null;
      return { id: toTokenKey(state), value: { state, params } };
    },
    schema: z.object({ state: z.string(), params: z.string() }),
  });

  const site = createSite(stores, { log: false })
    .get('/', ({ session }) => {
      const text =
        session === null
          ? html`<a href="/sign-in/company">Sign in with Example</a>`
          : html`<p>Hello ${session.user.name}</p>`;
      return page(plainPage('Things', text));
    })
    .get('/sign-in/company', async ({ request }) => {
      const begun = await company.begin({ redirectUri });
      if (begun.kind === 'away') return page(plainPage('Away', html``), 503);
      const { url, state, nonce, verifier } = begun;
      const sent = { state, nonce, verifier };
      await stores.values.put(toKey(state), { sent }, new Date(Date.now() + 10 * MINUTES));
      const cookie = { name: 'sign-in', value: state, maxAge: 600 };
      return withHostCookie(seeOther(externalUrl(url)), request, cookie);
    })
    .post('/sign-in/company/return', readReturn, ({ signed: { value }, once }) =>
      once(async (transaction) => {
        const { state, params } = value;
        const found = (await stores.values.find(toKey(state), transaction)) as object;
        const ends = new Date(Date.now() + 10 * MINUTES);
        await stores.values.put(toKey(state), { ...found, params }, ends, transaction);
        return seeOther(localPath('/sign-in/company/finish'));
      }),
    )
    .get('/sign-in/company/finish', async ({ request }) => {
      const [state = ''] = readHostCookie(request, 'sign-in');
      cookies.push(`GET ${state === '' ? 'without' : 'with'}`);
      const found = isToken(state) ? await stores.values.find(toKey(state)) : null;
      await stores.values.remove(toKey(state));
      const { sent, params } = (found ?? { sent: null, params: '' }) as {
        readonly sent: SignIn | null;
        readonly params: string;
      };
      const outcome = await company.finish({ redirectUri, params, expected: sent });
      if (outcome.kind !== 'signed in') return page(plainPage('Not signed in', html``), 403);
      const user = { id: 1, name: outcome.name ?? outcome.subject };
      return withSession(seeOther(localPath('/')), startSession(user));
    });

  const served = await serveSite(site);
  redirectUri = `${served.url}/sign-in/company/return`;
  const provider = await startRealProvider({ redirectUris: [redirectUri], host: 'localhost' });
  const { issuer, clientId, clientSecret } = provider;
  const options = { id: 'company', name: 'Example' };
  company = openId({ ...options, responseMode: 'form_post', issuer, clientId, clientSecret });
  return {
    ...served,
    cookies,
    async stop() {
      await provider.close();
      await served.stop();
    },
  };
}
