/**
 * `npm run screenshots`: the pictures in docs/images, of the application with its sample items: the list,
 * an item and the form, light and dark, and the list on a phone. Needs Chromium, or another one in CHROMIUM.
 */
import { join } from 'node:path';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { startApplication } from '../application/testing/start-application.ts';
import { isExecutable } from '../deploy/find-program.ts';
import { ROOT } from './project-files.ts';

const FOLDER = join(ROOT, 'docs/images');
const PLACES = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'];
const ACCOUNT = { username: 'ada', password: 'correct horse battery' };

const WIDE: BrowserContextOptions = { viewport: { width: 1080, height: 620 } };
const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 620 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};

const executablePath = PLACES.find(isExecutable);
if (executablePath === undefined) {
  process.stderr.write(
    'Cannot take screenshots without Chromium: install it, or name one in CHROMIUM.\n',
  );
  process.exit(1);
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const site = await startApplication({ SAMPLE_ITEMS: '1' });
try {
  const headers = { 'sec-fetch-site': 'same-origin' };
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await open(
      { ...WIDE, colorScheme },
      colorScheme === 'light' ? '/register' : '/login',
    );
    await page.goto('/items');
    await take(page, `list-${colorScheme}`);
    await page.goto('/items/2');
    await take(page, `item-${colorScheme}`);
    await page.goto('/items/new');
    await page.getByLabel('Name').fill('Soldering iron');
    await page.getByLabel('Quantity').fill('many');
    await page.getByRole('button', { name: 'Save item' }).click();
    await page.getByRole('alert').waitFor();
    await take(page, `form-${colorScheme}`);
  }
  const phone = await open({ ...PHONE, colorScheme: 'light' }, '/login');
  await phone.goto('/items');
  await take(phone, 'list-phone');

  async function open(options: BrowserContextOptions, logIn: string): Promise<Page> {
    const context = await browser.newContext({ ...options, baseURL: site.url });
    await context.request.post(logIn, { form: ACCOUNT, headers });
    return context.newPage();
  }
} finally {
  await browser.close();
  await site.stop();
}

async function take(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  process.stdout.write(`docs/images/${name}.png\n`);
}
