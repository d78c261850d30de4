/** Forms whose script does not work: they are found, sent and refused as without it. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type Story, send } from './browser.ts';
import type { TypingSite } from './open-typing.ts';

export const tellOrdinaryForm =
  (cause: (page: Page) => Promise<unknown>) =>
  async ({ page, site }: Story): Promise<void> => {
    await cause(page);
    await page.goto('/lend');
    await page.getByLabel('Note').fill('By the window');
    await page.getByLabel('Find a person').fill('A');
    await page.waitForTimeout(400);
    assert.equal(await send(page, 'Find'), 200);
    await page.getByLabel('Ada').check();
    assert.equal(await send(page, 'Lend'), 303);
    await page.goto('/join');
    await page.getByLabel('Seats').fill('12');
    assert.equal(await send(page, 'Join'), 400);
    await page.getByRole('link', { name: 'Seats must be between 1 and 9' }).waitFor();
    assert.deepEqual((site as TypingSite).sent, ['Ada 7 By the window']);
  };
