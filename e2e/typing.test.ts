/** What the script of forms does while one types, and that a form is an ordinary one when it fails. */
import assert from 'node:assert/strict';
import type { Page, Request } from 'playwright-core';
import { findViolations, VIEWS } from './axe.ts';
import { type StoryOptions, showsHeading, story } from './browser.ts';
import { openTyping, type TypingSite } from './open-typing.ts';
import { tellOrdinaryForm } from './tell-ordinary-form.ts';
import { watchPolicy } from './watch-policy.ts';

const scripts: StoryOptions = { open: openTyping, needsScripts: true };

const SENT = /\?send$/;

/** What a screen reader says. */
const hears = (page: Page, text: string) =>
  page.locator('body > [aria-live]', { hasText: text }).waitFor();
const messageOf = (page: Page, name: string) => page.locator(`[id="${name}-error"]`);
const focused = (page: Page) =>
  page.evaluate<string>("document.activeElement.getAttribute('name') ?? ''");

function watchRequests(page: Page): string[] {
  const bodies: string[] = [];
  page.on('request', (request: Request) => {
    if (request.method() === 'POST') bodies.push(request.postData() ?? '');
  });
  return bodies;
}

/** Waits for the answer to what `act` makes the script ask. */
async function asked(page: Page, act: () => Promise<void>): Promise<number> {
  const answer = page.waitForResponse((response) => response.request().method() === 'POST');
  await act();
  const response = await answer;
  await response.finished();
  return response.status();
}

story(
  'a field that was changed is checked when it is left, and nothing else happens',
  async ({ page, site }) => {
    const violations = watchPolicy(page);
    const bodies = watchRequests(page);
    await page.goto('/join');
    await page.getByLabel('Name').focus();
    await page.keyboard.press('Tab');
    await page.getByLabel('Seats').fill('12');
    assert.deepEqual(bodies, [], 'neither an empty field nor typing asks');
    await asked(page, () => page.keyboard.press('Tab'));
    await hears(page, 'Seats must be between 1 and 9');
    assert.equal(await focused(page), 'day.month', 'the focus stays');
    const seats = page.getByLabel('Seats');
    assert.equal(await seats.getAttribute('aria-invalid'), 'true');
    assert.equal(await seats.getAttribute('aria-describedby'), 'seats-error');
    assert.equal(await seats.inputValue(), '12');
    assert.equal(await page.locator('.error-summary').count(), 0);
    assert.equal(await messageOf(page, 'name').count(), 0, 'one field alone');
    for (const { colorScheme, width } of VIEWS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await findViolations(page), []);
    }

    await seats.fill('2');
    await asked(page, () => page.keyboard.press('Tab'));
    await messageOf(page, 'seats').waitFor({ state: 'detached' });
    assert.equal(await seats.getAttribute('aria-invalid'), null);
    assert.equal(await seats.getAttribute('aria-describedby'), null);

    // A date is left as a whole, and its message leads to the part that is wrong.
    const { length } = bodies;
    await page.getByLabel('Month').focus();
    await page.keyboard.type('13');
    await page.keyboard.press('Tab');
    await page.keyboard.type('31');
    await page.keyboard.press('Tab');
    await page.keyboard.type('2026');
    assert.equal(bodies.length, length);
    await asked(page, () => page.keyboard.press('Tab'));
    await messageOf(page, 'day').waitFor();
    assert.equal(await page.locator('#day').getAttribute('name'), 'day.month');

    await page.getByLabel('Password').fill('correct horse');
    await page.getByLabel('Name').fill('x'.repeat(21));
    await asked(page, () => page.keyboard.press('Tab'));
    await messageOf(page, 'name').waitFor();
    assert.doesNotMatch(bodies.join(), /horse/, 'no password is sent before the form');
    assert.equal(await page.getByLabel('Password').inputValue(), 'correct horse');
    assert.deepEqual((site as TypingSite).sent, []);
    assert.deepEqual(violations(), []);
  },
  scripts,
);

story(
  'an answer that comes late is dropped, and no message makes a click miss its button',
  async ({ page, site }) => {
    await page.goto('/join');
    const seats = page.getByLabel('Seats');
    const held: (() => void)[] = [];
    await page.route(SENT, async (route) => {
      const answer = await route.fetch();
      await new Promise<void>((release) => held.push(release));
      await route.fulfill({ response: answer }).catch(() => {});
    });
    const holds = async (count: number) => {
      for (let at = 0; at < 100 && held.length < count; at++) await page.waitForTimeout(20);
      assert.equal(held.length, count);
    };
    await seats.fill('12');
    await page.keyboard.press('Tab');
    await holds(1);
    await seats.fill('3');
    await page.keyboard.press('Tab');
    await holds(2);
    held[1]?.();
    await page.waitForTimeout(200);
    held[0]?.();
    await page.waitForTimeout(200);
    assert.equal(await messageOf(page, 'seats').count(), 0);
    await page.unroute(SENT);

    await page.getByLabel('Soup').check();
    await page.getByLabel('Password').fill('correct horse');
    await page.getByLabel('Name').fill('Ada');
    await seats.fill('12');
    const button = page.getByRole('button', { name: 'Join', exact: true });
    const { x, y } = (await button.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(x + 5, y + 2);
    await page.mouse.down();
    await page.waitForTimeout(500);
    assert.equal(await messageOf(page, 'seats').count(), 0, 'not while the button is pressed');
    await page.mouse.up();
    await page.getByRole('alert').waitFor();
    assert.deepEqual((site as TypingSite).sent, []);
  },
  scripts,
);

story(
  'results come as one types, with the focus, the caret and what is typed in place',
  async ({ page, site }) => {
    const violations = watchPolicy(page);
    await page.goto('/lend');
    await page.evaluate('window.isSame = true');
    await page.getByLabel('Note').fill('By the window');
    const find = page.getByLabel('Find a person');
    await find.focus();
    await asked(page, () => page.keyboard.type('A'));
    await hears(page, '2 found');
    assert.equal(await page.getByRole('radio').count(), 2);
    assert.equal(await focused(page), 'find');
    await page.keyboard.type('x');
    await hears(page, '0 found');
    await page.keyboard.press('ArrowLeft');
    await asked(page, () => page.keyboard.type('l'));
    assert.equal(await find.inputValue(), 'Alx');
    assert.equal(await page.evaluate('document.activeElement.selectionStart'), 2);
    await page.keyboard.press('Delete');
    await hears(page, '1 found');
    await page.getByLabel('Alan').check();
    await asked(page, () => page.getByLabel('Days').fill('5'));
    await page.getByText('Deposit: 10 €').waitFor();
    assert.ok(await page.getByLabel('Alan').isChecked());
    assert.equal(await page.getByLabel('Note').inputValue(), 'By the window');
    for (const { colorScheme, width } of VIEWS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await findViolations(page), []);
    }
    assert.ok(await page.evaluate<boolean>("'isSame' in window"), 'no page was loaded');
    await page.getByRole('button', { name: 'Lend', exact: true }).dblclick();
    await showsHeading(page, 'Done');
    assert.deepEqual((site as TypingSite).sent, ['Alan 5 By the window']);
    assert.deepEqual(violations(), []);
  },
  scripts,
);

story(
  'a script that throws leaves an ordinary form',
  tellOrdinaryForm((page) =>
    page.addInitScript("Document.prototype.querySelectorAll = () => { throw new Error('broken') }"),
  ),
  { open: openTyping },
);
