/**
 * Walks what docs/application/first-week.md tells, without scripts: from a spreadsheet of 400 things and a zip of
 * their photos to labels on shelves. It fails if the document counts other steps, pages or clicks.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import test from 'node:test';
import type { Response } from 'seeother';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import { createTestApplication, headerOf } from '../testing/create-test-application.ts';
import { createRandom, toCsv } from '../testing/exports/make-random.ts';
import { makeZip } from '../testing/make-zip.ts';
import { PHOTOS } from '../testing/photos.ts';

const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'application', 'first-week.md');
const THINGS = 400;

/** The spreadsheet, and a zip whose files are called by the serial numbers. */
function createFiles(): { readonly table: File; readonly photos: File } {
  const random = createRandom(7);
  const rows = [['Name', 'Serial number', 'Location', 'Purchase price', 'Bought on']];
  const files = Array.from({ length: THINGS }, (_, at) => {
    const serial = `SN-${1_000 + at}`;
    const place = `${random.one(['Cellar', 'Workshop'])}, shelf ${random.whole(1, 8)}`;
    rows.push([`Thing ${at + 1}`, serial, place, `${random.price()} €`, random.day()]);
    return {
      path: `photos/${serial}.jpg`,
      content: Buffer.concat([PHOTOS.jpeg, Buffer.from(serial)]),
    };
  });
  const zip = new Uint8Array(makeZip(files));
  return {
    table: new File([toCsv(rows)], 'things.csv', { type: 'text/csv' }),
    photos: new File([zip], 'photos.zip', { type: 'application/zip' }),
  };
}

/** The steps of the document: what they are called, their pages and their clicks. */
function readSteps(): readonly (readonly [title: string, pages: number, clicks: number])[] {
  const rows = readFileSync(DOCUMENT, 'utf8').matchAll(
    /^\| \d+\. \*\*(.+?)\*\*.*\| (\d+) \| (\d+) \|$/gm,
  );
  return [...rows].map(([, title = '', pages, clicks]) => [title, Number(pages), Number(clicks)]);
}

const URLENCODED = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };

const textOf = (markup: string) => markup.replaceAll(/<[^>]+>/g, '').trim();

test('the first week takes the steps, pages and clicks that its document tells', async (t) => {
  const application = await createTestApplication(t, { environment: { SAMPLE_ITEMS: '0' } });
  const visitor = createVisitor(application);
  const { imports } = application.models;
  let [page, pages, clicks, at] = ['', 0, 0, ''];
  const show = async (answer: Response, path: string) => {
    at = headerOf(answer, 'Location') ?? path;
    const shown = await visitor.follow(answer);
    assert.equal(shown.status, 200, bodyText(shown));
    page = bodyText(shown);
    pages++;
  };
  const open = async (path: string) => show(await visitor.get(path), path);
  const hrefOf = (label: string) => {
    const links = [...page.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)];
    const link = links.find(([, , inner = '']) => textOf(inner) === label);
    assert.ok(link !== undefined, `no link ${label} on ${page}`);
    // A menu is opened first.
    const before = page.slice(0, link.index);
    const isInMenu = before.lastIndexOf('popover>') > before.lastIndexOf('</ul>');
    clicks += isInMenu ? 2 : 1;
    return (link[1] ?? '').replaceAll('&amp;', '&');
  };
  const click = (label: string) => open(hrefOf(label));
  /** `chosen` are clicks too: files, and answers that differ from those that the form has. */
  const press = async (button: string, typed: Record<string, string> = {}, chosen = {}) => {
    const forms = [...page.matchAll(/<form(?=[^>]*method="post")[^>]*>[\s\S]*?<\/form>/g)];
    const form = forms.find(([markup]) =>
      [...markup.matchAll(/<button[^>]*>([\s\S]*?)<\/button>/g)].some(
        ([, inner = '']) => textOf(inner) === button,
      ),
    )?.[0];
    assert.ok(form !== undefined, `no button ${button} on ${page}`);
    const data = new FormData();
    const fields = { ...hiddenFields(form), ...answersIn(form), ...typed, ...chosen };
    for (const [name, value] of Object.entries(fields))
      for (const one of [value].flat()) data.append(name, one as string);
    clicks += 1 + Object.keys(chosen).length;
    const action = /^<form[^>]* action="([^"]+)"/.exec(form)?.[1] ?? '';
    const { pathname, search } = new URL(action.replaceAll('&amp;', '&'), `http://site${at}`);
    const path = `${pathname}${search}`;
    const isPlain = !form.includes('multipart');
    const body = isPlain ? `${new URLSearchParams(data as never)}` : data;
    await show(await visitor.post(path, body, isPlain ? URLENCODED : {}), path);
  };

  const person = { username: 'ada', password: 'correct horse battery' };
  const { table, photos } = createFiles();
  let pdf = Buffer.alloc(0);
  const download = async (label: string) => {
    const { body, status } = await visitor.get(hrefOf(label));
    assert.equal(status, 200);
    pdf = Buffer.from(body instanceof Uint8Array ? body : await buffer(body as never));
  };
  const walk: readonly (readonly [title: string, step: () => Promise<void>])[] = [
    [
      'Create your account',
      async () => {
        await open('/items');
        await click('create the first account');
        await press('Create account', person);
      },
    ],
    [
      'Choose the table and the zip',
      async () => {
        await click('import a CSV file');
        await press('Read the file', {}, { file: table, photos });
      },
    ],
    [
      'Check the columns',
      async () => {
        assert.match(page, /2 columns become fields of your own/);
        await press('Show what it changes');
      },
    ],
    [
      'Import',
      async () => {
        assert.match(page, /photos\.zip has 400 photos for 400 things\./);
        await press('Import 400 rows and 400 photos');
        for (let id = await imports.findWaiting(); id !== null; id = await imports.findWaiting())
          while ((await imports.step(id, 'test')) === 'more');
        // By itself.
        await open('/items/imports/1');
        assert.match(page, /<dt>Photos added<\/dt><dd>400<\/dd>/);
      },
    ],
    [
      'Print a label for each thing',
      async () => {
        await click('list');
        await click('Labels');
        await press('Show labels', {}, { sheet: 'l7160' });
        await download('open it as a PDF');
      },
    ],
    [
      'Print a label for each shelf',
      async () => {
        for (const place of ['Cellar', 'Workshop']) {
          await click('Items');
          await click('Places');
          await click(place);
          await click('Print labels of the places inside');
          await press('Show labels');
          await download('open it as a PDF');
        }
      },
    ],
  ];
  const told = readSteps();
  const walked: [string, number, number][] = [];
  for (const [title, step] of walk) {
    [pages, clicks] = [0, 0];
    await step();
    walked.push([title, pages, clicks]);
  }
  assert.match(pdf.toString('latin1'), /^%PDF-/);
  assert.deepEqual(told, walked);
  const sum = (at: 1 | 2) => walked.reduce((total, one) => total + one[at], 0);
  assert.ok(
    readFileSync(DOCUMENT, 'utf8').includes(
      `${walked.length} steps, ${sum(1)} pages and ${sum(2)} clicks`,
    ),
    `${walked.length} steps, ${sum(1)} pages and ${sum(2)} clicks`,
  );
  const { count } = await application.database.read
    .selectFrom('item_files')
    .select(({ fn }) => fn.count('id').as('count'))
    .executeTakeFirstOrThrow();
  assert.equal(Number(count), THINGS);
});

/** What a form has chosen already. */
function answersIn(form: string): Record<string, string | readonly string[]> {
  const answers: Record<string, string[]> = {};
  for (const [, name = '', options = ''] of form.matchAll(
    /<select [^>]*name="([^"_][^"]*)"[^>]*>([\s\S]*?)<\/select>/g,
  )) {
    const chosen = /value="([^"]*)" selected/.exec(options)?.[1];
    if (chosen !== undefined) answers[name] = [chosen];
  }
  for (const [input] of form.matchAll(/<input [^>]*type="(?:radio|checkbox)"[^>]*>/g)) {
    if (!/ checked/.test(input)) continue;
    const name = / name="([^"]*)"/.exec(input)?.[1] ?? '';
    answers[name] = [...(answers[name] ?? []), / value="([^"]*)"/.exec(input)?.[1] ?? 'on'];
  }
  for (const [input] of form.matchAll(/<input [^>]*type="(?:text|number)"[^>]*>/g)) {
    const value = / value="([^"]*)"/.exec(input)?.[1];
    const name = / name="([^"]*)"/.exec(input)?.[1] ?? '';
    if (value !== undefined) answers[name] = [value];
  }
  return answers;
}
