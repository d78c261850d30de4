/** The page of a list: what it shows, and what any address and any form make of it. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { buttonField } from '../field/button-field.ts';
import { choiceField, choicesField } from '../field/choice-field.ts';
import { checkboxField, textField, wholeNumberField } from '../field/fields.ts';
import { ticksField } from '../field/ticks-field.ts';
import { defineForm } from '../form/define-form.ts';
import { formTitle } from '../form/form-markup.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { type Response, seeOther, withSession } from '../http/response.ts';
import { english } from '../language/english.ts';
import { german } from '../language/german.ts';
import { startSession } from '../session/session-change.ts';
import { createSite } from '../site/create-site.ts';
import { createMemoryStores } from '../site/stores.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { defineList } from './define-list.ts';
import { listPage } from './list-page.ts';

interface Thing {
  readonly id: number;
  readonly name: string;
  readonly amount: number;
  readonly status: 'open' | 'done';
}

const STATUSES = [
  { value: 'open', label: 'Still open' },
  { value: 'done', label: 'Done' },
] as const;
const name = textField({ label: 'Name', maxLength: 80 });
const amount = wholeNumberField({ label: 'Amount', min: 0, max: 9_999, default: 1 });
const status = choiceField({ label: 'Status', required: 'Choose', choices: STATUSES });

const thingList = defineList<Thing>()({
  key: 'id',
  columns: {
    name: { field: name, sort: 'asc', link: ({ id }) => localPath(`/things/${id}`) },
    amount: { field: amount, sort: 'desc', align: 'end' },
    status: { field: status, narrow: 'hidden' },
    twice: { label: 'Twice', show: (thing, { formatNumber }) => formatNumber(2 * thing.amount) },
  },
  filter: defineForm({
    q: textField({ label: 'Search', maxLength: 20 }),
    state: choiceField({ label: 'State', choices: STATUSES }),
    least: wholeNumberField({ label: 'At least', min: 0, max: 9_999, default: null }),
    sizes: choicesField({ label: 'Sizes', choices: [{ value: 1, label: 'One' }] }),
  }),
});

function open(things: Thing[] = sample()) {
  const done: string[] = [];
  const site = createSite(createMemoryStores(), { log: false, languages: [english, german] }).post(
    '/login',
    () => withSession(seeOther(localPath('/things')), startSession({ id: 1, name: 'Ada' })),
  );
  const found = ({ q, state, least }: { q: string; state: string; least: number | null }) =>
    things.filter(
      (one) =>
        one.name.includes(q) &&
        (state === '' || one.status === state) &&
        one.amount >= (least ?? 0),
    );
  listPage(site, '/things', thingList, {
    size: 3,
    read({ filter, order: { by, direction }, limit, offset }) {
      const sign = direction === 'asc' ? 1 : -1;
      return found(filter)
        .toSorted((one, other) => sign * (one[by] < other[by] ? -1 : one[by] > other[by] ? 1 : 0))
        .slice(offset, offset + limit);
    },
    count: ({ filter }) => found(filter).length,
    csv: 'things.csv',
    add: { label: 'Add a thing', path: localPath('/things/new') },
    ticks: {
      form: defineForm({
        ticked: ticksField({ label: 'Things', of: 'int', required: 'Tick at least one thing' }),
        reason: textField({ label: 'Reason', maxLength: 80 }),
        action: buttonField({
          buttons: [
            { value: 'delete', label: 'Delete' },
            { value: 'print', label: 'Print', checks: ['ticked'] },
          ],
        }),
      }),
      send: {
        delete({ values: { ticked, reason } }) {
          if (reason === '') return { errors: [{ field: 'reason', message: 'Say why' }] };
          for (const id of ticked)
            things.splice(
              things.findIndex((one) => one.id === id),
              1,
            );
          done.push(`delete ${ticked.join('+')}: ${reason}`);
          const action = { label: 'Undo', path: localPath('/undo') };
          return { path: localPath('/things'), message: `Deleted ${ticked.length}`, action };
        },
        print({ values: { ticked } }) {
          done.push(`print ${ticked.join('+')}`);
          return localPath('/things');
        },
      },
    },
    show: ({ listHtml, form, flash, flashAction }) =>
      html`<title>${formTitle('Things', form)}</title>${flash}<a href="${flashAction?.path}"></a><h1>Things</h1>${listHtml}`,
  });
  return { visitor: createVisitor(site), done, site };
}

function sample(): Thing[] {
  return ['chair', 'desk', 'lamp', 'sofa', '<b>bed</b>'].map((name, at) => ({
    ...{ id: at + 1, name, amount: 1_000 * at },
    status: at % 2 === 0 ? 'open' : 'done',
  }));
}

/** The page without what differs each time. */
async function read(visitor: ReturnType<typeof createVisitor>, target: string): Promise<string> {
  const answer = await visitor.get(target);
  assert.equal(answer.status, 200, target);
  return bodyText(answer).replace(/<span hidden><select.*?<\/select><\/span>/g, '');
}

const namesOf = (page: string) =>
  [...page.matchAll(/<th scope="row"[^>]*><a [^>]*>(.*?)<\/a>/g)].map(([, text]) => text);
const ticksOf = (page: string) =>
  [...page.matchAll(/name="ticked" value="(\d+)"[^>]* checked/g)].map(([, value]) => value);

test('rows, their order, their pages and their number follow the address', async () => {
  const { visitor } = open();
  const first = await read(visitor, '/things');
  assert.deepEqual(namesOf(first), ['&lt;b&gt;bed&lt;/b&gt;', 'chair', 'desk']);
  assert.match(first, /role="status">5 entries</);
  assert.match(first, /<caption class="visually-hidden">Sorted by Name, ascending</);
  assert.match(first, /aria-sort="ascending"><a href="\/things\?sort=-name">Name</);
  assert.match(first, /<th scope="col" class="end"><a href="\/things\?sort=-amount">Amount</);
  assert.match(first, /<th scope="col" data-?|<th scope="col">Twice</);
  assert.match(first, /<td class="wide">Done<\/td>\n<td data-label="Twice">2,000<\/td>/);
  assert.match(first, /rel="next" href="\/things\?page=2"/);
  assert.match(first, /<a class="button" href="\/things\/new">Add a thing/);
  const second = await read(visitor, '/things?page=2');
  assert.deepEqual(namesOf(second), ['lamp', 'sofa']);
  // Another order begins with the first page.
  assert.match(second, /<a href="\/things\?sort=-amount">Amount</);
  const sorted = await read(visitor, '/things?sort=-amount&colour=red');
  assert.deepEqual(namesOf(sorted), ['&lt;b&gt;bed&lt;/b&gt;', 'sofa', 'lamp']);
  assert.match(sorted, /aria-sort="descending"><a href="\/things\?sort=amount">/);
  assert.match(sorted, /rel="next" href="\/things\?sort=-amount&amp;page=2"/);
});

test('filters are the fields of a form, and each can be removed', async () => {
  const { visitor } = open();
  const page = await read(visitor, '/things?q=a&state=open&sort=-amount&page=7');
  assert.deepEqual(namesOf(page), ['lamp', 'chair']);
  assert.match(page, /<input type="hidden" name="sort" value="-amount">/);
  assert.match(page, /<option value="open" selected>Still open/);
  assert.match(page, /id="q" name="q" value="a"/);
  assert.doesNotMatch(page, /\(optional\)<\/span><\/label>\n<select/);
  assert.match(
    page,
    /<a href="\/things\?q=a&amp;sort=-amount"><span class="visually-hidden">Remove <\/span>State: <strong>Still open</,
  );
  assert.match(page, /<a class="all" href="\/things\?sort=-amount">Remove all filters</);
  const none = await read(visitor, '/things?q=nowhere');
  assert.match(none, /role="status">Nothing matches\. <a href="\/things">Remove all filters</);
  assert.doesNotMatch(none, /<table|list-ticks/);
});

test('a list without any row leads to the form that adds one', async () => {
  const page = await read(open([]).visitor, '/things');
  assert.match(page, /<p class="empty">Nothing here yet\. <a href="\/things\/new">Add a thing</);
  assert.doesNotMatch(page, /<form|<table|list-tools/);
});

test('a wrong filter is not applied, and its field says why', async () => {
  const { visitor } = open();
  for (const query of ['least=many', 'least=-1', 'least=1&least=2', 'least=%FF', 'least=%00']) {
    const page = await read(visitor, `/things?${query}&q=a`);
    assert.match(
      page,
      /id="least-error"><span class="visually-hidden">Error:<\/span> At least/,
      query,
    );
    assert.deepEqual(namesOf(page), ['chair', 'lamp', 'sofa'], query);
  }
  const unknown = await read(visitor, '/things?state=lost&sizes=9');
  assert.match(unknown, /Choose “State” again/);
  assert.match(unknown, /Choose “Sizes” again/);
  assert.equal(namesOf(unknown).length, 3);
});

test('no query does harm', async () => {
  const { visitor } = open();
  const plain = await read(visitor, '/things');
  const same = [
    '?page=-1',
    '?page=1e9',
    '?page=0',
    '?sort=id',
    '?sort=constructor',
    '?sort=--name',
  ];
  for (const query of [
    ...same,
    '?sort=status',
    '?sort=%FF',
    '?page=%00',
    '?__proto__=1',
    '?as=xml',
  ])
    assert.deepEqual(namesOf(await read(visitor, `/things${query}`)), namesOf(plain), query);
  const long = 'x'.repeat(100_000);
  for (const query of [
    `q=${long}`,
    `${long}=1`,
    `sort=${long}`,
    'q=1&'.repeat(25_000),
    '&'.repeat(100_000),
  ]) {
    const started = performance.now();
    const page = await read(visitor, `/things?${query}`);
    assert.ok(performance.now() - started < 1_000, query.slice(0, 20));
    assert.ok(page.length < 300_000);
  }
  const marked = await read(visitor, '/things?q=%3Cscript%3E&x=%22%3E%3Cscript%3E');
  assert.doesNotMatch(marked, /<script/);
  assert.match(marked, /Search: <strong>&lt;script&gt;</);
});

test('a query that repeats itself, or names what no field has, makes no page long', async () => {
  const { visitor } = open();
  const short = bodyText(await visitor.get('/things?sizes=1&q=a'));
  for (const more of ['&sizes=1', '&sizes.x=1', '&q=a', '&sizes']) {
    const query = `?sizes=1&q=a${more.repeat(900)}`;
    const page = bodyText(await visitor.get(`/things${query}`));
    // The form over the ticks leads back to this address.
    const own = page.split(query.replaceAll('&', '&amp;')).length - 1;
    assert.ok(own <= 1 && page.length < short.length + 5 * query.length, `${page.length} ${more}`);
  }
});

test('numbers and texts are in the language of the request', async () => {
  const answer = await open().visitor.get('/things?least=1.000', {
    headers: { 'accept-language': 'de' },
  });
  const page = bodyText(answer);
  assert.match(
    page,
    /4 Einträge.*Sortiert nach „Name“, aufsteigend.*<td data-label="Twice">8.000/s,
  );
  assert.match(page, /Alle auf dieser Seite ankreuzen/);
});

test('the form over ticks counts once, and leads back with its message', async () => {
  const { visitor, done } = open();
  await visitor.post('/login');
  const sent = { ticked: ['2', '3'], reason: 'old', action: 'delete' };
  const answer = await visitor.submit('/things?q=a', sent);
  assert.equal(answer.status, 303);
  assert.deepEqual(done, ['delete 2+3: old']);
  const back = bodyText(await visitor.follow(answer));
  assert.match(back, /Deleted 2<a href="\/undo"/);
  assert.match(back, /3 entries/);
});

test('a refused form keeps its ticks, its list and what was typed', async () => {
  const { visitor, done } = open();
  const empty = await visitor.submit('/things?sort=-amount&page=2', { action: 'print' });
  assert.equal(empty.status, 400);
  const said = bodyText(empty);
  assert.match(said, /<title>Error: Things/);
  assert.match(said, /<a href="#ticked">Tick at least one thing</);
  assert.match(
    said,
    /id="ticked-error".*id="ticked" name="ticked"[^>]* aria-describedby="ticked-error"/s,
  );
  assert.deepEqual(namesOf(said), ['desk', 'chair']);
  assert.match(said, /action="\?send&amp;sort=-amount&amp;page=2"/);
  assert.match(said, /rel="prev" href="\/things\?sort=-amount"/);

  const refused = await visitor.submit('/things', { ticked: ['1', '2'], action: 'delete' });
  assert.equal(refused.status, 400);
  assert.match(bodyText(refused), /<a href="#reason">Say why</);
  assert.deepEqual(ticksOf(bodyText(refused)), ['1', '2']);
  assert.deepEqual(done, []);
});

test('all rows of the page are ticked, or none, and nothing is carried out', async () => {
  const { visitor, done } = open();
  const all = await visitor.submit('/things', { reason: 'old', _change: 'update ticked' });
  assert.equal(all.status, 200);
  assert.deepEqual(ticksOf(bodyText(all)), ['5', '1', '2']);
  assert.match(bodyText(all), /value="old"/);
  const none = await visitor.submit('/things', { ticked: ['1'], _change: 'untick' });
  assert.deepEqual(ticksOf(bodyText(none)), []);
  assert.deepEqual(done, []);
});

test('ticks are keys, at most as many as the field says', async () => {
  const { visitor, done } = open();
  const tick = (...ticked: string[]) => visitor.submit('/things', { ticked, action: 'print' });
  for (const wrong of ['x', '1.5', '1e3', '9'.repeat(20), '<b>', ''])
    assert.equal((await tick('1', wrong)).status, 400, wrong);
  const many = Array.from({ length: 10_000 }, (_, at) => String(at));
  assert.equal((await tick(...many)).status, 400);
  assert.match(bodyText(await tick(...many.slice(0, 501))), /Choose at most 500 of Things/);
  assert.deepEqual(done, []);
  assert.equal((await tick('1', '1', '777')).status, 303);
  assert.deepEqual(done, ['print 1+777']);
});

test('the file has all rows of the same query, in its order, and runs no formula', async () => {
  const things = Array.from({ length: 1_201 }, (_, at) => ({
    ...{ id: at + 1, name: at === 0 ? '=1+1' : `thing ${at}`, amount: at, status: 'open' as const },
  }));
  const { visitor } = open(things);
  const page = await read(visitor, '/things?q=thing&sort=-amount&page=3');
  assert.match(
    page,
    /<a href="\/things\?q=thing&amp;sort=-amount&amp;as=csv" download>Download as CSV</,
  );
  const file = await visitor.get('/things?q=thing&sort=-amount&as=csv');
  assert.match(String(file.headers['Content-Disposition']), /filename="?things\.csv/);
  const lines = (await text(file)).replace('\u{feff}', '').trimEnd().split('\r\n');
  assert.deepEqual(
    [lines.length, ...lines.slice(0, 2)],
    [1_201, 'Name,Amount,Status', 'thing 1200,1200,open'],
  );
  assert.match(await text(await visitor.get('/things?as=csv')), /\n'=1\+1,0,open/);
  // A file cannot say what is wrong with a filter.
  assert.match(await read(visitor, '/things?least=x&as=csv'), /id="least-error"/);
});

test('a property is shown as it is, and a tick in words, in the file, too', async () => {
  const rows = [{ id: 1, name: '<b>', size: 1_000, isLent: true }];
  const list = defineList<(typeof rows)[number]>()({
    columns: {
      name: { label: 'Name' },
      size: { label: 'Size' },
      isLent: { field: checkboxField({ label: 'Lent' }) },
      twice: { label: 'Twice', show: ({ size }) => 2 * size },
    },
  });
  const site = createSite(createMemoryStores(), { log: false });
  listPage(site, '/things', list, {
    read: () => rows,
    csv: { name: 'things.csv', separator: ';', bom: false },
    show: ({ listHtml }) => listHtml,
  });
  const visitor = createVisitor(site);
  const page = await read(visitor, '/things');
  assert.match(page, /&lt;b&gt;<\/th>\n<td[^>]*>1000<.*\n<td[^>]*>Yes<.*\n<td[^>]*>2000</);
  const file = await visitor.get('/things?as=csv');
  assert.match(String(file.headers['Content-Disposition']), /things\.csv/);
  assert.equal(await text(file), 'Name;Size;Lent\r\n<b>;1000;Yes\r\n');
});

test('one element of a page takes the focus', async () => {
  const { visitor } = open();
  await visitor.post('/login');
  const count = (page: string) => page.split(' autofocus').length - 1;
  assert.equal(count(await read(visitor, '/things?least=x')), 1);
  const empty = await visitor.submit('/things?least=x', { action: 'print' });
  assert.equal(count(bodyText(empty)), 1);
  const all = await visitor.submit('/things?least=x', { _change: 'update ticked' });
  assert.equal(count(bodyText(all)), 1);
  const sent = await visitor.submit('/things?least=x', {
    ticked: '1',
    reason: 'old',
    action: 'delete',
  });
  const back = sent.headers['Location'] ?? '';
  const target = `${back}&least=x`.replace(/^([^?]*)&/, '$1?');
  // The layout of the page gives its message the focus.
  assert.match(
    await read(visitor, target),
    /Deleted 1.*error-summary" role="alert" tabindex="-1">/s,
  );
});

async function text({ body }: Response): Promise<string> {
  const pieces = typeof body === 'string' || body instanceof Uint8Array ? [body] : (body ?? []);
  let whole = '';
  for await (const piece of pieces) whole += Buffer.from(piece).toString();
  return whole;
}
