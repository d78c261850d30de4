import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type MailServer, openMailServer } from '../application/testing/open-mail-server.ts';
import { findFreePort } from '../application/testing/postgres/find-free-port.ts';
import { startInProcess } from '../application/testing/start-in-process.ts';
import { findViolations, VIEWS } from './axe.ts';
import { register, send, showsHeading, story } from './browser.ts';
import type { Site } from './open-site.ts';

/** The application, and the mail server that it sends to. */
async function openWithMails(): Promise<Site & { readonly mails: MailServer }> {
  const releases: (() => unknown)[] = [];
  const mails = await openMailServer({ after: (release) => void releases.push(release as never) });
  const PORT = String(await findFreePort());
  const site = await startInProcess({
    PORT,
    PUBLIC_ORIGIN: `http://127.0.0.1:${PORT}`,
    MAIL_URL: `smtp://127.0.0.1:${mails.port}`,
    MAIL_FROM: 'things@example.org',
  });
  const stop = async () => {
    await site.stop();
    for (const release of releases) await release();
  };
  return { ...site, mails, stop };
}

story(
  'mails about loans are turned on in a mail, and stopped in a browser that is not logged in',
  async ({ page, site, openBrowser }) => {
    const { mails } = site as Site & { readonly mails: MailServer };
    const findings: string[] = [];
    const check = async (shown: Page, heading: string) => {
      await showsHeading(shown, heading);
      for (const { colorScheme, width } of VIEWS) {
        await shown.emulateMedia({ colorScheme });
        await shown.setViewportSize({ width, height: 800 });
        findings.push(...(await findViolations(shown)));
      }
    };
    await register(page);
    await page.goto('/account');
    await page.getByRole('link', { name: 'Get mails' }).click();
    await page.getByLabel('Email').fill('ada@example');
    await send(page, 'Save address');
    await check(page, 'There is a problem');
    await page.getByLabel('Email').fill('ada@example.org');
    await send(page, 'Save address');
    await page.getByText('until you open the link').waitFor();
    while (mails.mails.length === 0) await page.waitForTimeout(50);
    const link = /http:\S+\/mail\?link=\S+/.exec(mails.mails[0]?.body ?? '')?.[0] ?? '';

    const other = await (await openBrowser()).newPage();
    await other.goto(link);
    await check(other, 'Mails about loans are off');
    await send(other, 'Turn on');
    await check(other, 'Mails about loans are on');
    await page.goto('/account');
    await page.getByText('Mails about loans go to ada@example.org').waitFor();
    await check(page, 'Your account');
    await send(other, 'Stop these mails');
    await showsHeading(other, 'Mails about loans are off');
    await other.goto('/mail?link=made-up');
    await check(other, 'This link cannot be used');
    assert.deepEqual(findings, []);
  },
  { open: openWithMails },
);
