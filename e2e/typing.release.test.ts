/** The other ways in which the script of typing.test.ts may fail. */
import type { Page } from 'playwright-core';
import { story } from './browser.ts';
import { openTyping } from './open-typing.ts';
import { tellOrdinaryForm } from './tell-ordinary-form.ts';

/** What may become of the script: the form is an ordinary one. */
const FAILURES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'is switched off': async () => {},
  'is blocked': (page) => page.route('**/form-*.js', (route) => route.abort()),
  'gets no answer': (page) =>
    page.addInitScript('XMLHttpRequest.prototype.send = function () { this.onloadend() }'),
  'is answered 429': async (page) => {
    await page.route(/\?send$/, (route) =>
      route.request().resourceType() === 'xhr'
        ? route.fulfill({ status: 429, body: '' })
        : route.continue(),
    );
  },
};

for (const [failure, cause] of Object.entries(FAILURES))
  story(`a script that ${failure} leaves an ordinary form`, tellOrdinaryForm(cause), {
    open: openTyping,
    javaScriptEnabled: failure !== 'is switched off',
  });
