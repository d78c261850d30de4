import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import { createSite, defineForm, formPage, html, localPath } from 'seeother';
import { createOutbox, createStores } from 'seeother/database';
import { emailField } from 'seeother/fields';
import { openSqlite } from 'seeother/sqlite';
import { SMTPServer } from 'smtp-server';
import { story } from './browser.ts';
import type { Site } from './open-site.ts';
import { serveSite } from './serve-site.ts';

interface OrderSite extends Site {
  /** The mails that the mail server has accepted. */
  readonly mails: readonly string[];
  /** Resolves once the server has one more. */
  readonly arrival: () => Promise<unknown>;
}

const orderForm = defineForm({
  email: emailField({ label: 'Email', required: 'Enter your email address' }),
});

/** A site that sends a mail after each order, and a mail server. */
async function openOrders(): Promise<OrderSite> {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  const mails: string[] = [];
  let arrived = Promise.withResolvers<void>();
  const mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, accept) =>
      void text(stream).then((mail) => {
        mails.push(mail);
        accept(null);
        arrived.resolve();
        arrived = Promise.withResolvers();
      }),
  });
  mailServer.listen(0, '127.0.0.1');
  await once(mailServer.server, 'listening');
  const { port } = mailServer.server.address() as AddressInfo;
  const transport = createTransport({ host: '127.0.0.1', port });
  const database = await openSqlite(join(folder, 'orders.db'));
  const outbox = createOutbox(database, {
    mail: ({ to }: { readonly to: string }, { key }) =>
      transport.sendMail({
        to,
        from: 'shop@example.org',
        subject: 'Your order',
        messageId: `<${key}@example.org>`,
      }),
  });
  outbox.start();
  const site = formPage(createSite(createStores(database), { log: false }), '/', orderForm, {
    button: 'Order',
    show: ({ formHtml, flash }) => html`<!doctype html><html lang="en"><title>Order</title>
<main><h1>Order</h1><p role="status">${flash}</p>${formHtml}</main>`,
    async send({ values, transaction }) {
      await outbox.afterCommit.mail(transaction, { to: values.email });
      if (values.email.startsWith('taken'))
        return { errors: [{ field: 'email', message: 'Enter another address' }] };
      return { path: localPath('/'), message: 'We will send you a mail.' };
    },
  });
  const served = await serveSite(site);
  return {
    ...served,
    mails,
    arrival: () => arrived.promise,
    async stop() {
      await served.stop();
      await outbox.stop();
      await database.close();
      await new Promise<void>((resolve) => mailServer.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

story(
  'a mail goes out once for a form that is sent twice and again after Back, and none for a refused one',
  async ({ page, site }) => {
    const { mails, arrival } = site as OrderSite;
    await page.goto('/');
    await page.getByLabel('Email').fill('taken@example.org');
    await page.getByRole('button', { name: 'Order' }).click();
    await page.getByRole('link', { name: 'Enter another address' }).waitFor();
    const firstMail = arrival();
    await page.getByLabel('Email').fill('ada@example.org');
    const form = await page.evaluate<Record<string, string>>(
      'Object.fromEntries(new FormData(document.forms[0]))',
    );
    await page.getByRole('button', { name: 'Order' }).click();
    await page.waitForURL(/sent=/);
    const headers = { 'sec-fetch-site': 'same-origin' };
    // A copy whose answer the browser never gets: its cookie would keep Chromium from going back to the page.
    const body = new URLSearchParams(form);
    await fetch(new URL('/?send', page.url()), {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
    });
    await firstMail;
    await page.goBack({ waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Order' }).click();
    await page.waitForURL(/sent=/);
    const secondMail = arrival();
    await page.getByLabel('Email').fill('bob@example.org');
    await page.getByRole('button', { name: 'Order' }).click();
    await secondMail;
    const recipients = mails.map((mail) => /^To: (.*?)\r$/m.exec(mail)?.[1]);
    assert.deepEqual(recipients, ['ada@example.org', 'bob@example.org']);
  },
  { open: openOrders, goesBack: true },
);
