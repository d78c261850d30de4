import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { ACCOUNT, countItems, register, showsHeading, story } from './browser.ts';

/** Milliseconds by which every answer is delayed: longer than a double click, also on a busy machine. */
const LATE = 1_500;

/** A tunnel for https; browsers send plain http requests to the proxy directly. */
const CONNECT = /^CONNECT [^\r\n]+(?:\r\n[^\r\n]+)*\r\n\r\n/;

/**
 * A slow connection: requests arrive at once, answers are delayed. It is a proxy of the browser, so
 * that the site keeps its own address.
 */
async function openSlowLine(url: string) {
  const { port, hostname } = new URL(url);
  const line = createServer((client) => {
    const server = connect(Number(port), hostname);
    client.once('data', (first: Buffer) => {
      const head = CONNECT.exec(first.toString('latin1'))?.[0] ?? '';
      if (head !== '') client.write('HTTP/1.1 200 OK\r\n\r\n');
      server.write(first.subarray(head.length));
      client.on('data', (data) => server.write(data));
    });
    server.on('data', (data) => setTimeout(() => client.write(data), LATE));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => setTimeout(() => other.destroy(), LATE));
    }
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  const { port: ours } = line.address() as AddressInfo;
  // Without the rule a browser asks no proxy for an address of its own machine.
  const proxy = { server: `http://127.0.0.1:${ours}`, bypass: '<-loopback>' };
  return { proxy, close: () => line.close() };
}

story(
  'a double click on Save over a slow connection saves one item',
  async ({ openBrowser, site }) => {
    const line = await openSlowLine(site.url);
    const page = await (await openBrowser({ proxy: line.proxy })).newPage();
    try {
      await register(page);
      await page.goto('/items/new');
      await page.getByLabel('Name').fill('Ladder');
      await page
        .getByRole('button', { name: 'Save item' })
        .dblclick({ delay: 60, noWaitAfter: true });
      await showsHeading(page, 'Ladder No. 7');
      assert.equal(site.log().match(/\[POST\] \/items 303/g)?.length, 2);
      assert.equal(await countItems(page), '7 items');
    } finally {
      line.close();
    }
  },
);

story(
  'a double click on Change password over a slow connection changes it once and keeps the log-in',
  async ({ openBrowser, site }) => {
    const line = await openSlowLine(site.url);
    const page = await (await openBrowser({ proxy: line.proxy })).newPage();
    try {
      await register(page);
      await page.goto('/account');
      await page.getByLabel('Current password').fill(ACCOUNT.password);
      await page.getByLabel('New password', { exact: true }).fill('battery staple');
      await page.getByLabel('New password again').fill('battery staple');
      await page
        .getByRole('button', { name: 'Change password' })
        .dblclick({ delay: 60, noWaitAfter: true });
      await page.getByRole('status').getByText('Your password was changed').waitFor();
      await page.goto('/account');
      await showsHeading(page, 'Account');
    } finally {
      line.close();
    }
  },
);
