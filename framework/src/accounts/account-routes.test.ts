import assert from 'node:assert/strict';
import test from 'node:test';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { html } from '../http/html.ts';
import { openId } from '../openid/open-id.ts';
import { passkeys } from '../passkeys/passkeys.ts';
import { createLinks, type RouteNames } from '../router/links.ts';
import { createSite } from '../site/create-site.ts';
import { openTestDatabase } from '../testing/test-folder.ts';
import { totp } from '../totp/totp.ts';
import { accountProfile } from './account-profile.ts';
import { FORM_PAGES, OTHER_ROUTES } from './account-routes.ts';
import { createAccounts } from './accounts.ts';

test('the routes of a site with all parts are those that links know', async (t) => {
  const { database } = await openTestDatabase(t);
  const accounts = createAccounts(database, {
    layout: (title, main) => html`<h1>${title}</h1>${main}`,
    names: 'email',
    publicOrigin: 'https://club.example',
    mail: async () => undefined,
    totp: totp(),
    passkeys: passkeys({ name: 'Chess club', origins: ['https://chess.example'] }),
    providers: [
      openId({ id: 'company', name: 'Company', issuer: 'https://id.example', clientId: 'club' }),
    ],
    profile: accountProfile(defineForm({ age: textField({ label: 'Age', maxLength: 3 }) }), {
      fill: () => ({}),
      save: async () => undefined,
    }),
  });
  const site = accounts.addTo(createSite(accounts.stores, { log: false }));
  const company = site.routes
    .map(({ name }): string => name)
    .filter((name) => name.includes('/company'));
  assert.deepEqual([...new Set(company.map((name) => name.replace(/^\w+ /, '')))].toSorted(), [
    '/account/providers/link/company',
    '/login/with/company',
    '/login/with/company/ended',
    '/login/with/company/go',
    '/login/with/company/return',
  ]);
  const names = site.routes
    .map(({ name }): string => name)
    .filter((name) => !/\/login\/with\/company|\/link\/company/.test(name));
  const known = [...FORM_PAGES.flatMap((path) => [`GET ${path}`, `POST ${path}`]), ...OTHER_ROUTES];
  assert.deepEqual(names.toSorted(), known.toSorted());
  const { href } = createLinks<RouteNames<typeof site>>();
  assert.equal(href('/people/:id<int>', { id: 1 }), '/people/1');
});
