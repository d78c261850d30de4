/**
 * `npm run screenshots`: the pictures in docs/images, of the application with its sample items, which have photos: the
 * list, an item, the form and own fields, light and dark; labels; the list and the page to scan on a phone; and those
 * of the fields in the gallery of the guides. Needs Chromium, or another one in CHROMIUM.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { blankForm, formField } from 'seeother';
import { startApplication } from '../application/testing/start-application.ts';
import { isExecutable } from '../deploy/find-program.ts';
import { readExamples } from './document-examples.ts';
import { ROOT, readText } from './project-files.ts';
import { drawPhotos } from './sample-photos.ts';

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

/** Name, kind of value, and what else the form gets. */
const FIELDS = [
  ['Warranty ends', 'Date', {}],
  ['Manual', 'Link', {}],
  ['Looked after by', 'Person', {}],
  ['Voltage', 'Number', { Unit: 'V', For: 'Power tool' }],
  ['Tested', 'Yes or no', { For: 'Power tool' }],
] as const;

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
    if (colorScheme === 'light') await addPhotos(page);
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
    if (colorScheme === 'dark') continue;
    await page.goto('/items/labels');
    await page.getByLabel('Draw the edges').check();
    await page.getByRole('button', { name: 'Show labels' }).click();
    await page.getByRole('heading', { name: 'Labels', exact: true }).waitFor();
    await take(page, 'labels');
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await open({ ...WIDE, colorScheme }, '/login');
    if (colorScheme === 'light') await addFields(page);
    await page.goto('/fields');
    await take(page, `fields-${colorScheme}`);
  }
  await takeFields();
  const phone = await open({ ...PHONE, colorScheme: 'light' }, '/login');
  await phone.goto('/items');
  await take(phone, 'list-phone');
  await phone.goto('/scan?mode=move&place=Office');
  await phone.getByLabel('Code').fill('#2');
  await phone.keyboard.press('Enter');
  await phone.getByText('is in Office now.').waitFor();
  await take(phone, 'scan-phone');

  async function open(options: BrowserContextOptions, logIn: string): Promise<Page> {
    const context = await browser.newContext({ ...options, baseURL: site.url });
    await context.request.post(logIn, { form: ACCOUNT, headers });
    return context.newPage();
  }
} finally {
  await browser.close();
  await site.stop();
}

/** Resolves when the pictures are made. */
async function addPhotos(page: Page): Promise<void> {
  const photos = await drawPhotos(browser);
  for (let number = photos.size; number > 0; number--) {
    await page.goto(`/items/${number}/files`);
    const name = ((await page.locator('.back a').textContent()) ?? '').replace('← ', '');
    const buffer = photos.get(name) ?? Buffer.of();
    const files = [{ name: `${number}.jpg`, mimeType: 'image/jpeg', buffer }];
    await page.getByLabel('Photos and documents').setInputFiles(files);
    await page.getByRole('button', { name: 'Add photos' }).click();
    await page.getByRole('status').waitFor();
  }
  do {
    await page.goto('/items');
  } while ((await page.locator('.items img').count()) < photos.size);
}

/** A kind of things, and fields. */
async function addFields(page: Page): Promise<void> {
  await page.goto('/fields/kinds/new');
  await page.getByLabel('Name').fill('Power tool');
  await page.getByLabel('Icon').selectOption('Tool');
  await page.getByRole('button', { name: 'Add kind' }).click();
  await page.getByRole('status').waitFor();
  for (const [name, kind, details] of FIELDS) {
    await page.goto('/fields/new');
    await page.getByLabel('Name', { exact: true }).first().fill(name);
    await page.getByLabel(kind, { exact: true }).check();
    for (const [label, text] of Object.entries(details))
      if (label === 'For') await page.getByLabel(label, { exact: true }).selectOption(text);
      else await page.getByRole('textbox', { name: label }).filter({ visible: true }).fill(text);
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.getByRole('status').waitFor();
  }
}

/** Each field of the form in the guide. */
async function takeFields(): Promise<void> {
  const example = readExamples().find(({ document }) => document.endsWith('field-gallery.md'));
  const file = join(ROOT, 'dist/field-gallery.ts');
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(file, example?.source ?? '');
  const { gallery } = await import(pathToFileURL(file).href);
  const form = blankForm(gallery);
  const page = await browser.newPage({
    viewport: { width: 600, height: 600 },
    colorScheme: 'light',
  });
  for (const name of gallery.names) {
    const { markup } = formField(form, name);
    await page.setContent(
      `<!doctype html><html lang="en"><style>${readText('application/public/styles.css')} body { min-height: 0 } form { display: flow-root; padding: 1rem 1rem 0 }</style><form class="form">${markup}</form>`,
    );
    const path = join(ROOT, 'docs/site/public/fields', `${name}.png`);
    await page.locator('form').screenshot({ path });
    process.stdout.write(`${path}\n`);
  }
}

async function take(page: Page, name: string): Promise<void> {
  // Pictures of a list arrive last.
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  process.stdout.write(`docs/images/${name}.png\n`);
}
