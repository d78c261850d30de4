/** Back in a browser that stores less than Chromium: Firefox discards a page with `no-store`. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { startInProcess } from '../application/testing/start-in-process.ts';
import { ACCOUNT } from './browser.ts';
import { type Firefox, openFirefox, skipFirefox } from './firefox.ts';
import { openBookings } from './open-bookings.ts';
import { openLoans } from './open-loans.ts';

const TYPED = { name: 'Ladder', description: 'Three metres', location: 'Cellar', tags: 'tools' };

test('in Firefox', { skip: skipFirefox }, async (t) => {
  const browser = await openRegistered(t);
  await t.test('Back to the form of an item shows what was typed', () => goBackToForm(browser));
  await t.test('an item is edited after Back, taken from, and the change undone', () =>
    changeItem(browser),
  );
  await t.test('text that F5 keeps does not overwrite the change of somebody else', () =>
    reloadForm(browser),
  );
  await t.test('text that was sent, and that F5 keeps, counts once', () => sendAgain(browser));
  await t.test(
    'a person is searched, added on the way and chosen, and after Back counts once',
    (t) => choosePerson(t, browser),
  );
  await t.test('a scan moves a thing, and its Undo leads back to the next scan', () =>
    scan(browser),
  );
  await t.test('steps go on with what is missing, and keep their answers on Back', (t) =>
    answerSteps(t, browser),
  );
});

async function scan({ click, evaluate, open, type, url, waitFor }: Opened) {
  await open(`${url}/scan?mode=move&place=Attic`);
  assert.equal(await evaluate('document.activeElement.id'), 'code');
  await type('#code', '#1');
  await click('.scan form button');
  await waitFor("document.querySelector('.flash')?.textContent.includes('is in Attic now.')");
  await click('.flash button');
  await waitFor("document.querySelector('.flash')?.textContent.includes('1 change was undone.')");
  assert.equal(await evaluate('location.pathname'), '/scan');
}

async function goBackToForm({ click, evaluate, goBack, open, type, url, waitFor }: Opened) {
  await open(`${url}/items/new`);
  for (const [name, text] of Object.entries(TYPED)) await type(`#${name}`, text);
  await click('nav a[href="/items"]');
  await waitFor("location.pathname === '/items'");

  await goBack();

  await waitFor("location.pathname === '/items/new'");
  const values = 'name description location tags'.split(' ').map((name) => `#${name}`);
  const shown = await evaluate(
    `JSON.stringify(${JSON.stringify(values)}.map((field) => document.querySelector(field).value))`,
  );
  assert.deepEqual(JSON.parse(String(shown)), Object.values(TYPED));
}

async function changeItem({ click, goBack, open, type, url, waitFor }: Opened) {
  await open(`${url}/items/2/edit`);
  await type('#location', ' left hook ');
  await click('nav a[href="/items"]');
  await waitFor("location.pathname === '/items'");
  await goBack();
  const typed = "document.querySelector('#location').value.includes('left hook')";
  await waitFor(`location.pathname === '/items/2/edit' && ${typed}`);
  await click('button[value="save"]');
  const says = (text: string) =>
    waitFor(`location.pathname === '/items/2' && document.body.textContent.includes('${text}')`);
  await says('left hook');

  await click('.quantity summary');
  await type('#amount', '1');
  await type('#reason', 'for the fair');
  await click('button[value="take"]');
  await says('Quantity is now 1 (was 2).');
  await open(`${url}/items/2/history`);
  await click('form[action$="/undo"] button');
  await says('· undone');
  // Back over a form that was sent shows a page, and sends nothing.
  await goBack();
  await waitFor("location.pathname === '/items/2/history'");
  await open(`${url}/items/2`);
  await waitFor("document.querySelector('.quantity strong').textContent === '2'");
}

async function reloadForm({ click, evaluate, open, type, url, waitFor }: Opened) {
  const change = (name: string, version: number) =>
    `fetch('/items/3/edit?send', { method: 'POST', body: new URLSearchParams({ name: '${name}', quantity: '1', version: '${version}' }) })`;
  // A reload without a change of somebody else keeps the text, and it is saved.
  await open(`${url}/items/3/edit`);
  await type('#location', 'Loft ');
  await evaluate('location.reload(); document.title = "leaving"');
  await waitFor('document.title !== "leaving"');
  assert.match(String(await evaluate("document.querySelector('#location').value")), /Loft/);
  await click('button[value="save"]');
  await waitFor("location.pathname === '/items/3'");

  await open(`${url}/items/3/edit`);
  await type('#name', 'Typed here ');
  await evaluate(`${change('Renamed elsewhere', 2)}.then(() => location.reload())`);
  await waitFor(`document.title.startsWith('Edit Renamed elsewhere')`);
  assert.match(String(await evaluate("document.querySelector('#name').value")), /Typed here/);
  await click('button[value="save"]');
  await waitFor("document.querySelector('h1').textContent.includes('changed meanwhile')");
}

/** The key of the form belongs to the text, which the browser has put beside the key of another page. */
async function sendAgain({ click, evaluate, goBack, open, type, url, waitFor }: Opened) {
  const form = "document.querySelector('main form')";
  const field = "document.querySelector('#name')";
  const once = `${form}.elements._once.value`;
  const reload = async () => {
    const key = await evaluate(once);
    await evaluate(`location.reload()`);
    await waitFor(`${once} !== '${key}' && ${field}.value === 'Tent'`);
  };
  const save = async () => {
    await click('button[value="save"]');
    await waitFor('/^.items.[0-9]+$/.test(location.pathname)');
    return evaluate('location.pathname');
  };
  await open(`${url}/items/new`);
  await type('#name', 'Tent');
  // Sent and stopped: the page stays, with what was typed.
  await evaluate(
    `fetch(${form}.action, { method: 'POST', body: new FormData(${form}, document.querySelector('button[value=save]')) }).then(({ url }) => { document.title = url; })`,
  );
  await waitFor("document.title.startsWith('http')");
  const made = new URL(String(await evaluate('document.title'))).pathname;
  await reload();
  await reload();
  assert.equal(await save(), made);
  // Another text of the same form counts, and counts once as well.
  await goBack();
  await waitFor(`location.pathname === '/items/new' && ${field}.value === 'Tent'`);
  await reload();
  assert.equal(await save(), made);
  await goBack();
  await waitFor(`location.pathname === '/items/new' && ${field}.value === 'Tent'`);
  await type('#location', 'Attic');
  const other = await save();
  assert.notEqual(other, made);
  await goBack();
  await waitFor(`location.pathname === '/items/new' && ${field}.value === 'Tent'`);
  await reload();
  assert.equal(await save(), other);
  // A page that a link has opened is a new form, also with the same text.
  await open(`${url}/items/new`);
  await type('#name', 'Tent');
  assert.notEqual(await save(), made);
}

async function choosePerson(t: TestContext, browser: Opened) {
  const { click, evaluate, goBack, open, type, waitFor } = browser;
  const site = await openLoans();
  t.after(site.stop);
  const shows = (text: string) => waitFor(`document.body.textContent.includes('${text}')`);
  await open(`${site.url}/login`);
  await click('button');
  await waitFor("location.pathname === '/lend'");
  await type('#note', 'By the window');
  await type('#find', 'G');
  await click('button[value="update find"]');
  await shows('Grace');
  await click('button[value="leave person"]');
  await waitFor("location.pathname === '/people/new'");
  await type('#name', 'Zoe');
  await click('main form button');
  await waitFor("location.pathname === '/lend'");
  await waitFor("document.querySelector('[value=\\'4\\']').checked");
  await click('form > button:not([value]):not([tabindex])');
  await shows('Lent.');
  await goBack();
  await waitFor("location.pathname === '/lend'");
  assert.equal(await evaluate("document.querySelector('#note').value"), 'By the window');
  await click('form > button:not([value]):not([tabindex])');
  await waitFor("location.pathname === '/'");
  assert.deepEqual(await site.loans(), ['4 7 By the window']);
}

async function answerSteps(t: TestContext, browser: Opened) {
  const { click, evaluate, goBack, open, type, waitFor } = browser;
  const site = await openBookings();
  t.after(site.stop);
  const isOn = (step: string) => waitFor(`location.pathname.endsWith('/${step}')`);
  const next = () => click('main form > button:not([value]):not(.quiet)');
  await open(`${site.url}/book`);
  await type('#name', 'Ada');
  await next();
  await isOn('room');
  await click('nav.steps a[href$="/extras"]');
  await isOn('extras');
  await next();
  await isOn('room');
  await type('#room', 'loft');
  await next();
  await isOn('extras');
  await goBack();
  await isOn('room');
  assert.equal(await evaluate("document.querySelector('#room').value"), 'loft');
  await click('nav.steps a[href$="/contact?change"]');
  await isOn('contact');
  await type('#name', 'm');
  await next();
  await isOn('check');
  await next();
  await waitFor("document.body.textContent.includes('Booked for')");
  assert.match((await site.bookings()).join(), /^(Adam|mAda): loft, no breakfast$/);
}

type Opened = Firefox & { readonly url: string };

/** A Firefox that has registered the first account. */
async function openRegistered(t: TestContext): Promise<Opened> {
  const site = await startInProcess();
  t.after(site.stop);
  const browser = await openFirefox(t);
  const { click, open, type, waitFor } = browser;
  await open(`${site.url}/register?next=/items`);
  await type('#username', ACCOUNT.username);
  await type('#password', ACCOUNT.password);
  await type('#passwordagain', ACCOUNT.password);
  await click('.account-page form button');
  await waitFor("location.pathname === '/items'");
  return { ...browser, url: site.url };
}
