import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import type { Context } from '../chain/context.ts';
import { createStores } from '../database/create-stores.ts';
import { dateField, monthField } from '../field/date-field.ts';
import { defineField, ok } from '../field/field.ts';
import { textField, wholeNumberField } from '../field/fields.ts';
import { moneyField } from '../field/money-field.ts';
import { decimalField } from '../field/number-fields.ts';
import { defineForm } from '../form/define-form.ts';
import { choiceGroup, rows } from '../form/field-set.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { page, seeOther, withSession } from '../http/response.ts';
import { english } from '../language/english.ts';
import { french } from '../language/french.ts';
import { german } from '../language/german.ts';
import { chooseLanguage } from '../middleware/choose-language.ts';
import { requireSession } from '../session/require-session.ts';
import { startSession } from '../session/session-change.ts';
import { createSite } from '../site/create-site.ts';
import { formPage } from '../site/form-page.ts';
import { createMemoryStores, type Stores } from '../site/stores.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { stepPages } from './step-pages.ts';
import { steps } from './steps.ts';

const amountForm = defineForm({
  amount: decimalField({ label: 'Amount', min: 0, max: 99_999, step: 0.001 }),
  price: moneyField({ label: 'Price', currency: 'EUR' }),
  day: dateField({ label: 'Day', as: 'parts' }),
  name: textField({ label: 'Name', maxLength: 9 }),
  // What it writes is not what it reads.
  odd: defineField({ label: 'Odd' }, { parse: (text: string) => ok({ text }), empty: null }),
  parts: rows({
    label: 'Parts',
    name: 'Part',
    max: 3,
    fields: { size: decimalField({ label: 'Size', min: 0, max: 99_999, step: 0.1 }) },
  }),
  how: choiceGroup({
    label: 'How',
    choices: {
      post: { label: 'Post', fields: { to: textField({ label: 'To', maxLength: 9 }) } },
      none: { label: 'None' },
    },
  }),
});
type Engine = 'memory' | 'SQLite';

async function openStores(t: TestContext, engine: Engine): Promise<Stores<unknown>> {
  if (engine === 'memory') return createMemoryStores() as Stores<unknown>;
  const folder = await mkdtemp(join(tmpdir(), 'answers-'));
  const database = await openSqlite(join(folder, 'answers.db'));
  t.after(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });
  return createStores(database) as Stores<unknown>;
}

const lastForm = defineForm({ note: textField({ label: 'Note', maxLength: 9 }) });

function createOrders() {
  const sent: unknown[] = [];
  const stores = createMemoryStores();
  const kept: string[] = [];
  const values = {
    ...stores.values,
    put: (key: string, value: NonNullable<unknown>, expiresAt: Date | null) => {
      kept.push(JSON.stringify(value));
      return stores.values.put(key, value, expiresAt);
    },
  };
  const site = createSite(
    { ...stores, values },
    {
      log: false,
      languages: [english, german, french],
      errors: { report: () => {} },
    },
  );
  const list = steps()
    .step('amount', amountForm, { title: 'Amount' })
    .step('last', lastForm, { title: 'Last' });
  const router = stepPages(site, '/order', list, {
    button: 'Order',
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    send({ answers }) {
      sent.push(answers.amount);
      return localPath('/done');
    },
  });
  const visitor = createVisitor(router);
  const inLanguage = (code: string) => ({ headers: { 'accept-language': code } });
  return { visitor, sent, kept, inLanguage };
}

const TYPED = {
  amount: '1.234',
  price: '1.234,50',
  'day.day': '5',
  'day.month': 'März',
  'day.year': '2026',
  name: '  Ann  ',
  odd: ' a ',
  'parts.0': 'row',
  'parts.0.size': '2.500,5',
  how: 'none',
  _once: 'key',
};

test('an answer means what it meant in the language that it was typed in', async () => {
  const { visitor, sent, inLanguage } = createOrders();
  const second = await visitor.post('/order', TYPED, inLanguage('de'));
  const last = String(second.headers['Location']);
  const check = await visitor.post(last, { note: 'x' }, inLanguage('en'));
  const shown = bodyText(await visitor.get(String(check.headers['Location']), inLanguage('en')));
  const { pathname } = new URL(String(check.headers['Location']), 'http://x');
  for (const text of ['>1,234.000<', '>€1,234.50<', '>March 5, 2026<', '> a <', '>2,500.5<'])
    assert.ok(shown.includes(text), `${text} in ${shown}`);
  const page = pathname.replace('check', 'amount');
  const again = bodyText(await visitor.get(`${page}?change`, inLanguage('fr')));
  assert.match(again, /name="price"[^>]* value="1\s234,50"/);
  assert.match(again, /name="parts\.0\.size"[^>]* value="2\s500,5"/);
  await visitor.submit(pathname, {}, inLanguage('fr'));
  assert.deepEqual(sent, [
    {
      amount: '1234.000',
      price: { amount: 123450, currency: 'EUR' },
      day: '2026-03-05',
      name: 'Ann',
      odd: { text: 'a' },
      parts: [{ size: '2500.5' }],
      how: { choice: 'none' },
    },
  ]);
});

const amounts = defineForm({
  size: decimalField({ label: 'Size', min: 0, max: 999, step: 0.001 }),
  count: wholeNumberField({ label: 'Count', min: 0, max: 99_999, default: null }),
  price: moneyField({ label: 'Price', currency: 'EUR', max: 99_900 }),
  month: monthField({ label: 'Month' }),
  day: dateField({ label: 'Day' }),
});

/** One step. The middleware of the pages chooses the language, after the answers were loaded. */
function createAmounts(stores: Stores<unknown>, isChosenLate: boolean) {
  const sent: unknown[] = [];
  const languages = isChosenLate ? [english] : [english, german];
  const site = createSite(stores, { log: false, languages, errors: { report: () => {} } });
  const choose = chooseLanguage<Context>(({ request }) =>
    request.headers['accept-language'] === 'de' ? german : null,
  );
  const list = steps().step('amounts', amounts, { title: 'Amounts' });
  const router = stepPages(site, '/order', list.step('last', lastForm, { title: 'Last' }), {
    button: 'Order',
    middleware: [isChosenLate ? choose : chooseLanguage(() => null)],
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    send({ answers }) {
      sent.push(answers.amounts);
      return localPath('/done');
    },
  });
  const inLanguage = (code: string) => ({ headers: { 'accept-language': code } });
  return { visitor: createVisitor(router), sent, inLanguage };
}

const IN_GERMAN = {
  size: '1,5',
  count: '1.234',
  price: '1,50',
  month: 'Mrz 2026',
  day: '1.2.2026',
  _once: 'key',
};

for (const engine of ['memory', 'SQLite'] as const) {
  for (const isChosenLate of [false, true]) {
    const when = isChosenLate ? 'the middleware of the pages chooses' : 'the site chooses';
    test(`answers in ${engine} mean what was typed in German when ${when} another language`, async (t) => {
      const stores = await openStores(t, engine);
      const { visitor, sent, inLanguage } = createAmounts(stores, isChosenLate);
      const typed = await visitor.post('/order', IN_GERMAN, inLanguage('de'));
      assert.equal(typed.status, 303);
      const last = String(typed.headers['Location']);
      const check = String(
        (await visitor.post(last, { note: 'x' }, inLanguage('de'))).headers['Location'],
      );
      const texts = async (path: string, code: string) =>
        bodyText(await visitor.get(path, inLanguage(code)));
      assert.match(
        await texts(check, 'de'),
        />1,500<[\s\S]*>1234<[\s\S]*>1,50\s€<[\s\S]*>1\. Februar 2026</,
      );
      assert.match(
        await texts(check, 'en'),
        />1.500<[\s\S]*>1234<[\s\S]*>€1.50<[\s\S]*>February 1, 2026</,
      );
      const page = check.replace(/check.*/, 'amounts?change');
      assert.match(await texts(page, 'de'), / value="1,500"[\s\S]* value="1,50"/);
      assert.match(await texts(page, 'en'), / value="1.500"[\s\S]* value="1.50"/);
      await visitor.submit(new URL(check, 'http://x').pathname, {}, inLanguage('en'));
      const price = { amount: 150, currency: 'EUR' };
      const values = { size: '1.500', count: 1_234, price, month: '2026-03', day: '2026-02-01' };
      assert.deepEqual(sent, [values]);
    });

    test(`what was refused in German is not taken from ${engine} as English when ${when}`, async (t) => {
      const { visitor, sent, inLanguage } = createAmounts(
        await openStores(t, engine),
        isChosenLate,
      );
      const typed = await visitor.post('/order', IN_GERMAN, inLanguage('de'));
      const last = String(typed.headers['Location']);
      await visitor.post(last, { note: 'x' }, inLanguage('de'));
      const page = last.replace('last', 'amounts');
      // 1,234 is too much, and stored by the button that leads back.
      const wrong = { ...IN_GERMAN, size: '1.234' };
      assert.equal((await visitor.post(`${page}?back`, wrong, inLanguage('de'))).status, 303);
      for (const code of ['en', 'de']) {
        const check = await visitor.get(last.replace('last', 'check'), inLanguage(code));
        assert.match(String(check.headers['Location']), /\/amounts\?change$/, code);
        const text = bodyText(await visitor.get(`${page}?change`, inLanguage(code)));
        assert.match(text, / value="1\.234"/, code);
        assert.match(text, /field-error/, code);
      }
      assert.deepEqual(sent, []);
    });
  }
}

test('a form that waits for the log-in means what it meant in the language that it was typed in', async () => {
  const site = createSite(createMemoryStores(), {
    log: false,
    languages: [english, german],
    errors: { report: () => {} },
  });
  site.get('/login', () => page(html`Log in`));
  site.post('/login', () =>
    withSession(seeOther(localPath('/')), startSession({ id: 1, name: 'ada' })),
  );
  site.group('/shop', requireSession, (shop) =>
    formPage(shop, '/order', amountForm, {
      button: 'Order',
      show: ({ formHtml }) => html`<main>${formHtml}</main>`,
      send: () => localPath('/done'),
    }),
  );
  const visitor = createVisitor(site);
  const inLanguage = (code: string) => ({ headers: { 'accept-language': code } });
  const refused = await visitor.post('/shop/order', TYPED, inLanguage('de'));
  assert.equal(refused.status, 401);
  const [, next = ''] = /next=([^"]+)"/.exec(bodyText(refused)) ?? [];
  await visitor.post('/login', {}, inLanguage('en'));
  const claimed = await visitor.get(decodeURIComponent(next), inLanguage('en'));
  const path = String(claimed.headers['Location']);
  const shown = bodyText(await visitor.get(path, inLanguage('en')));
  assert.match(shown, /name="amount"[^>]* value="1,?234(?:\.000)?"/);
  assert.match(shown, /name="parts\.0\.size"[^>]* value="2,?500\.5"/);
  assert.match(
    bodyText(await visitor.get(path, inLanguage('de'))),
    /name="amount"[^>]* value="1\.234"/,
  );
});

test('a text that is not valid stays as it was typed in every language', async () => {
  const { visitor, inLanguage } = createOrders();
  const second = await visitor.post('/order', TYPED, inLanguage('de'));
  const last = String(second.headers['Location']);
  const back = await visitor.post(`${last}?back`, { note: '1.234.5678' }, inLanguage('de'));
  assert.equal(back.status, 303);
  assert.match(bodyText(await visitor.get(last, inLanguage('en'))), / value="1\.234\.5678"/);
});

test('what is stored of a valid step is its values, and no spaces or unchosen text', async () => {
  const { visitor, kept, inLanguage } = createOrders();
  const spaces = ' '.repeat(400_000);
  const typed = { ...TYPED, name: `${spaces}Ann${spaces}`, 'how.post.to': 'x'.repeat(100_000) };
  assert.equal((await visitor.post('/order', typed, inLanguage('de'))).status, 303);
  assert.ok((kept[0] ?? '').length < 1_000, String(kept[0]));
  const same = await visitor.post('/order', { ...TYPED, name: 'Ann' }, inLanguage('de'));
  assert.equal(same.status, 303);
  assert.deepEqual(kept.slice(1), kept.slice(0, 1));
});

/** A site of one step without an account. */
function createNotes(visitors: { readonly max?: number; readonly maxPerNetwork?: number } = {}) {
  const lines = rows({
    label: 'Lines',
    name: 'Line',
    max: 1_000,
    default: 0,
    fields: {
      a: textField({ label: 'A', maxLength: 9 }),
      b: textField({ label: 'B', maxLength: 9 }),
    },
  });
  const text = textField({ label: 'Text', maxLength: 900_000, multiline: true });
  const site = createSite(createMemoryStores(), { log: false, errors: { report: () => {} } });
  const list = steps().step('notes', defineForm({ text, lines }), { title: 'Notes' });
  return stepPages(site, '/notes', list, {
    button: 'Send',
    visitors,
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    send: () => localPath('/done'),
  });
}

test('the page of all answers has a limited length, and says what it leaves out', async () => {
  const visitor = createVisitor(createNotes());
  const show = async (typed: Readonly<Record<string, string>>) => {
    const check = await visitor.post('/notes', typed);
    assert.equal(check.status, 303);
    const page = bodyText(await visitor.follow(check));
    assert.ok(page.length < 1_000_000, `${page.length} characters`);
    return page;
  };
  const long = await show({ text: `${'x\n'.repeat(34_000)}x` });
  assert.match(long, /Only the first 65,5\d\d characters are shown here/);
  const many = await show(
    Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`lines.${at}.a`, '"'])),
  );
  assert.match(many, /1,001 more answers are not shown here/);
  assert.equal(many.split('<dt>').length - 1, 1_000);
});

test('a visitor stores at most 131,072 characters, and gets what was typed back', async () => {
  const visitor = createVisitor(createNotes());
  const answer = await visitor.post('/notes', { text: 'word '.repeat(30_000) });
  assert.equal(answer.status, 413);
  assert.match(bodyText(answer), /too long to be stored[\s\S]*word word/);
});

test('visitors of a network, and all of them, start a limited number of answers a day', async () => {
  const router = createNotes({ max: 6, maxPerNetwork: 3 });
  const start = async (address: string, text = 'x') =>
    (await createVisitor(router, { address }).post('/notes', { text })).status;
  assert.deepEqual(
    [await start('192.0.2.1'), await start('192.0.2.1'), await start('192.0.2.1')],
    [303, 303, 303],
  );
  assert.equal(await start('192.0.2.1'), 429);
  // Two places.
  assert.equal(await start('192.0.2.2', 'x'.repeat(20_000)), 303);
  assert.equal(await start('192.0.2.3'), 303);
  assert.equal(await start('192.0.2.4'), 503);
});

test('a visitor who goes on with started answers takes no further place', async () => {
  const visitor = createVisitor(createNotes({ max: 1, maxPerNetwork: 1 }));
  const check = await visitor.post('/notes', { text: 'x', _once: 'key' });
  const page = String(check.headers['Location']).replace('check', 'notes');
  for (const text of ['y', 'z']) assert.equal((await visitor.post(page, { text })).status, 303);
  assert.equal((await visitor.post('/notes', { text: 'w', _once: 'key' })).status, 303);
});
