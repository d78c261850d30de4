import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { html } from 'seeother';
import { htmxPolicy, turboPolicy } from 'seeother/middleware';
import { type StoryOptions, send, showsHeading, story } from './browser.ts';
import { type NotesSite, openNotes, type Script } from './open-notes.ts';
import { watchPolicy } from './watch-policy.ts';

const { resolve } = createRequire(import.meta.url);

const turboTag = html`<script src="/turbo.es2017-umd.js" defer></script>`;
const Turbo: Script = {
  policy: turboPolicy,
  file: resolve('@hotwired/turbo/dist/turbo.es2017-umd.js'),
  head: () => turboTag,
};

const TurboWithNonce: Script = {
  ...Turbo,
  policy: { ...turboPolicy, 'style-src': ["'nonce'"] },
  head: ({ nonce }) => html`<meta name="csp-nonce" content="${nonce()}">${turboTag}`,
};

const HTMX_CONFIG = {
  allowEval: false,
  includeIndicatorStyles: false,
  historyCacheSize: 0,
  refreshOnHistoryMiss: true,
  responseHandling: [
    { code: '204', swap: false },
    { code: '...', swap: true },
  ],
};
const HtmxBoost: Script = {
  policy: htmxPolicy,
  file: resolve('htmx.org/dist/htmx.min.js'),
  head: () => html`<meta name="htmx-config" content="${JSON.stringify(HTMX_CONFIG)}">
<script src="/htmx.min.js" defer></script>`,
  body: html` hx-boost="true"`,
};

const HtmxPost: Script = {
  ...HtmxBoost,
  body: html``,
  form: html` hx-post="/notes" hx-target="main" hx-select="main" hx-swap="outerHTML" hx-push-url="true"`,
};

/** A story on the site of notes; it fails if a page violates its policy. */
function notesStory(
  name: string,
  script: Script,
  tell: (page: Page, site: NotesSite) => Promise<void>,
  options: StoryOptions = {},
): void {
  let site: NotesSite;
  const open = async () => {
    site = await openNotes(script);
    return site;
  };
  story(
    name,
    async ({ page }) => {
      const found = watchPolicy(page);
      await tell(page, site);
      assert.deepEqual(found(), []);
      // The policy is in force, and a violation would have been found.
      await page.evaluate("document.body.setAttribute('style', 'color: red')");
      await page.goto('/notes');
      assert.equal(found().length, 1, found().join('\n'));
    },
    { needsScripts: true, ...options, open },
  );
}

/** Resolves when htmx has taken over the forms and links that it has put into the page. */
async function settles(page: Page): Promise<void> {
  await page.locator('.htmx-settling').first().waitFor({ state: 'detached' });
}

async function sendsForm(page: Page): Promise<void> {
  await page.getByLabel('Author').fill('Ada');
  assert.equal(await send(page, 'Save'), 400);
  await showsHeading(page, 'There is a problem');
  await settles(page);
  assert.equal(await page.title(), 'Error: Add a note');
  await page.getByRole('alert').and(page.locator(':focus')).waitFor();
  assert.equal(await page.getByLabel('Author').inputValue(), 'Ada');

  await page.getByLabel('Note').fill('Feed the cat');
  assert.equal(await send(page, 'Save'), 303);
  await showsHeading(page, 'Note 1');
  await page.waitForURL('/notes/1');
  await page.getByText('Feed the cat').waitFor();
}

for (const [name, script] of Object.entries({ Turbo, TurboWithNonce, HtmxBoost, HtmxPost }))
  notesStory(`${name}: a refused form and a saved one are shown in place`, script, async (page) => {
    await page.goto('/notes/new');
    await page.evaluate('window.isTheSame = true');
    await sendsForm(page);
    assert.equal(await page.evaluate('window.isTheSame'), true, 'the page was loaded again');
  });

for (const [name, script] of Object.entries({ Turbo, HtmxBoost, HtmxPost }))
  notesStory(
    `${name}: a double click saves once, and Back shows the form`,
    script,
    async (page, site) => {
      await page.goto('/notes');
      await page.getByRole('link', { name: 'Add a note' }).click();
      await showsHeading(page, 'Add a note');
      await settles(page);
      await page.getByLabel('Note').fill('Water the plants');
      const release = site.hold();
      await page.getByRole('button', { name: 'Save' }).dblclick({ noWaitAfter: true });
      release();
      await showsHeading(page, 'Note 1');
      assert.deepEqual(site.notes, ['Water the plants'], site.log());

      await page.goBack({ waitUntil: 'commit' });
      await showsHeading(page, 'Add a note');
      await page.waitForURL('/notes/new');
    },
    { goesBack: true },
  );

notesStory(
  'the form of HtmxPost works with scripts off',
  HtmxPost,
  async (page) => {
    await page.goto('/notes');
    await page.getByRole('link', { name: 'Add a note' }).click();
    await sendsForm(page);
    await page.getByRole('link', { name: 'All notes' }).click();
    await page.getByText('There are 1 notes.').waitFor();
  },
  { javaScriptEnabled: false, needsScripts: false },
);

const inline: Script = {
  ...Turbo,
  policy: { 'script-src': ["'nonce'"] },
  head: ({ nonce }) => html`<script nonce="${nonce()}">document.documentElement.id = 'own'</script>
<script>document.documentElement.lang = 'xx'</script>
<script nonce="guessed">document.documentElement.lang = 'xx'</script>`,
};

story(
  'an inline script runs with the nonce of its page only',
  async ({ page }) => {
    const found = watchPolicy(page);
    for (const path of ['/notes', '/notes/new']) {
      await page.goto(path);
      assert.equal(await page.locator('html').getAttribute('id'), 'own');
      assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    }
    assert.equal(found().length, 4, found().join('\n'));
  },
  { open: () => openNotes(inline) },
);
