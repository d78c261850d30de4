import assert from 'node:assert/strict';
import test from 'node:test';
import { html } from '../http/html.ts';
import { languageSlot } from '../http/request-language.ts';
import { page } from '../http/response.ts';
import { german } from '../language/german.ts';
import { createSite } from '../site/create-site.ts';
import { createMemoryStores } from '../site/stores.ts';
import { get } from '../testing/make-request.ts';
import { bodyText } from '../testing/visitor.ts';
import { passkeyForm } from './passkey-form.ts';
import { passkeyScript } from './passkey-script.ts';
import { passkeys } from './passkeys.ts';

const engine = passkeys({ name: 'Chess & "more"' });

test('a form is hidden until its script shows it, and has the words of the language', async () => {
  const user = { handle: 'AAEC', name: '"><script>alert(1)</script>' };
  const { options } = await engine.toAdd({ origin: 'https://club.example', user, existing: [] });
  const stores = { ...createMemoryStores(), scripts: [passkeyScript] };
  const site = createSite(stores, { log: false }).get('/', ({ request }) => {
    languageSlot.set(request, german);
    const fields = html`<input type="hidden" name="next" value="/items">`;
    return page(
      passkeyForm(
        { request },
        { asks: 'add', options, action: '/passkeys', button: 'Hinzufügen', fields },
      ),
    );
  });
  const markup = bodyText(await site.handle(get('/')));
  assert.match(markup, /^<form method="post" action="\/passkeys" data-passkey="add" /);
  assert.match(markup, / data-cancelled="Der Passkey wurde nicht verwendet: [^"]+" [^>]* hidden>/);
  assert.match(markup, /<input type="hidden" name="next" value="\/items">/);
  assert.match(markup, /<input type="hidden" name="response">/);
  assert.doesNotMatch(markup, /conditional|<script>/);
  assert.match(markup, /<script type="module" src="\/passkeys-[\da-f]{16}\.js"/);
  const [, written = ''] = /data-options="([^"]+)"/.exec(markup) ?? [];
  const text = written.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  assert.equal(JSON.parse(text.replaceAll('&amp;', '&')).user.name, user.name);
});
