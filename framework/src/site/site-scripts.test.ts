import assert from 'node:assert/strict';
import test from 'node:test';
import { scriptTag } from '../http/browser-script.ts';
import { html } from '../http/html.ts';
import { page } from '../http/response.ts';
import { get } from '../testing/make-request.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { createSite } from './create-site.ts';
import { createMemoryStores } from './stores.ts';

const first = { name: 'first', text: 'document.title = "first"' };
const second = { name: 'second', text: 'document.title = "second"' };

test('the scripts of the stores are served at addresses with their hashes, and the policy has these alone', async () => {
  const stores = { ...createMemoryStores(), scripts: [first, second] };
  const site = createSite(stores, { log: false, base: '/club' }).get('/', ({ request }) =>
    page(html`<title>Club</title>${scriptTag(request, first)}${scriptTag(request, second)}`),
  );
  const visitor = createVisitor(site);
  const shown = await visitor.get('/club/');
  const tags = [...bodyText(shown).matchAll(/src="(\/club\/[^"]+)" integrity="([^"]+)"/g)];
  const policy = String(shown.headers['Content-Security-Policy']);
  const digests = tags.map(([, , digest]) => `'${digest}'`).join(' ');
  assert.ok(policy.includes(`; script-src ${digests}; `), policy);
  assert.doesNotMatch(policy, /connect-src/);
  for (const [at, { name, text }] of [first, second].entries()) {
    const path = tags[at]?.[1] ?? '';
    assert.match(path, new RegExp(`^/club/${name}-[\\da-f]{16}\\.js$`));
    assert.equal(bodyText(await visitor.get(path)), text);
  }
});

test('a page with a script that the site does not serve fails with a remedy', async () => {
  const errors: unknown[] = [];
  const site = createSite(createMemoryStores(), {
    log: false,
    errors: { report: ({ error }) => errors.push(error) },
  }).get('/', ({ request }) => page(scriptTag(request, first)));
  assert.equal((await site.handle(get('/'))).status, 500);
  assert.match(String(errors[0]), /createSite\(\{ \.\.\.stores, scripts: \[firstScript\] \}\)/);
});
