/** A site whose people sign in at two companies, which answer what a test says. */
import type { Database } from '../database/database.ts';
import type { Response } from '../http/response.ts';
import { type OpenIdOptions, openId } from '../openid/open-id.ts';
import type { Json, startScriptedProvider } from '../openid/scripted-provider.fixture.ts';
import { post } from '../testing/make-request.ts';
import { bodyText, createVisitor, type Visitor } from '../testing/visitor.ts';
import type { AccountProvider } from './account-options.ts';
import { createAccountSite, type Given, type Role } from './accounts-site.fixture.ts';

export type Scripted = Awaited<ReturnType<typeof startScriptedProvider>>;

/** What a browser has been sent to a company with. */
export interface OnTheWay {
  readonly id: string;
  readonly state: string;
  readonly nonce: string;
  readonly url: URL;
}

/** Of another site, without the cookies of this one. */
export const ELSEWHERE = {
  headers: { 'sec-fetch-site': 'cross-site', origin: 'https://id.example' },
} as const;
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

export function createProviderSite(
  database: Database,
  { company, other }: { readonly company: Scripted; readonly other: Scripted },
  {
    openid = {},
    register,
    ...given
  }: Given & { readonly openid?: Partial<OpenIdOptions>; readonly register?: boolean } = {},
) {
  const clock = { ahead: 0 };
  const now = () => new Date(Date.now() + clock.ahead);
  const create = (
    id: string,
    { issuer }: Scripted,
    more: Partial<OpenIdOptions>,
  ): AccountProvider => {
    const common = { clientId: 'site', clientSecret: 'x', role: toRole };
    const engine = openId({
      id,
      name: id,
      issuer,
      ...common,
      ...openid,
      ...more,
    });
    return register === undefined ? engine : { ...engine, register };
  };
  const site = createAccountSite(database, {
    providers: [
      create('company', company, {}),
      create('other', other, { responseMode: 'form_post' }),
    ],
    now,
    site: { session: { now } },
    ...given,
  });
  const scriptedOf = (id: string) => (id === 'company' ? company : other);

  /** Uses the button of the page; by default that of the log-in. */
  const begin = async (visitor: Visitor, path = '/login/with/company'): Promise<OnTheWay> =>
    read(visitor, await visitor.post(path));
  const read = async (visitor: Visitor, begun: Response): Promise<OnTheWay> => {
    const led = await visitor.get(String(begun.headers['Location']));
    const [, address] = /^0;url=(.*)$/.exec(String(led.headers['Refresh'])) ?? [];
    if (address === undefined)
      throw new Error(`Not led to a company: ${begun.status} ${bodyText(begun)}`);
    const url = new URL(address);
    const [id = ''] = /[^/]+(?=\/go)/.exec(String(begun.headers['Location'])) ?? [];
    const [state, nonce] = ['state', 'nonce'].map((name) => url.searchParams.get(name) ?? '');
    return { id, url, state: state ?? '', nonce: nonce ?? '' };
  };

  /** What the company says of a person when its code is redeemed. */
  const say = ({ id, nonce }: Pick<OnTheWay, 'id' | 'nonce'>, claims: Json): void => {
    const scripted = scriptedOf(id);
    scripted.answers['/token'] = async () => {
      const iat = Math.floor(Date.now() / 1_000);
      const usual = { iss: scripted.issuer, sub: 'ada', aud: 'site', nonce, iat, exp: iat + 600 };
      const id_token = await scripted.sign({ ...usual, ...claims });
      return Response_.json({ access_token: 'x', token_type: 'Bearer', id_token });
    };
  };
  /** Comes back from the company with the answer. */
  const comeBack = async (visitor: Visitor, { id, state }: OnTheWay): Promise<Response> => {
    if (id === 'company')
      return visitor.get(`/login/with/company/return?code=any&state=${state}`, ELSEWHERE);
    const parked = await site.site.handle(
      post('/login/with/other/return', { code: 'any', state }, ELSEWHERE),
    );
    return visitor.get(String(parked.headers['Location']), ELSEWHERE);
  };
  const signIn = async (
    visitor: Visitor,
    claims: Json = {},
    path = '/login/with/company',
  ): Promise<Response> => {
    const way = await begin(visitor, path);
    say(way, claims);
    return comeBack(visitor, way);
  };
  /** An account that is linked to a person of the company. */
  const registerLinked = async (username: string, sub = username, role?: Role) => {
    const visitor = await site.register(username, role);
    const linked = await signIn(visitor, { sub }, '/account/providers/link/company');
    if (linked.status !== 303) throw new Error(`Not linked: ${bodyText(linked)}`);
    return visitor;
  };
  /** What the company sends when a session there has ended. */
  const endAt = async (id: 'company' | 'other', claims: Json, jti = `${Math.random()}`) => {
    const scripted = scriptedOf(id);
    const iat = Math.floor(Date.now() / 1_000);
    const usual = { iss: scripted.issuer, aud: 'site', iat, exp: iat + 120, jti };
    const all = { ...usual, events: { [EVENT]: {} }, ...claims };
    const token = await scripted.sign(all, { typ: 'logout+jwt' });
    return sendEnded(id, token);
  };
  const sendEnded = (id: string, token: string) =>
    site.site.handle(post(`/login/with/${id}/ended`, { logout_token: token }, ELSEWHERE));

  return {
    ...site,
    ...{ clock, now, begin, read, say, comeBack, signIn, registerLinked, endAt, sendEnded },
    visit: () => createVisitor(site.site),
  };
}

/** The class of the runtime; `Response` is that of the framework here. */
const Response_ = globalThis.Response;

function toRole({ role }: Json): string | null {
  return typeof role === 'string' ? role : null;
}
