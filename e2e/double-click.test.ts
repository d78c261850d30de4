import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { ACCOUNT, countItems, register, showsHeading, story } from './browser.ts';

/** Milliseconds by which every answer is late: longer than a double click takes. */
const LATE = 500;

/** A slow line to the site: what is sent arrives at once, what is answered comes late. */
async function openSlowLine(url: string) {
  const { protocol, port, hostname } = new URL(url);
  const line = createServer((client) => {
    const server = connect(Number(port), hostname);
    client.on('data', (data) => server.write(data));
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
  return { url: `${protocol}//127.0.0.1:${ours}`, close: () => line.close() };
}

story('a double click on Save over a slow line saves one item', async ({ openBrowser, site }) => {
  const line = await openSlowLine(site.url);
  const page = await (await openBrowser({ baseURL: line.url })).newPage();
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
});

story(
  'a double click on Change password over a slow line changes it, and logs nobody out',
  async ({ openBrowser, site }) => {
    const line = await openSlowLine(site.url);
    const page = await (await openBrowser({ baseURL: line.url })).newPage();
    try {
      await register(page);
      await page.goto('/account');
      await page.getByLabel('Current password').fill(ACCOUNT.password);
      await page.getByLabel('New password').fill('battery staple');
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
