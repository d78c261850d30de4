/** From a list to an item and back: every address keeps the list, without a session or a script. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { QueueFull } from 'seeother/middleware';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../../testing/create-test-application.ts';
import { formIn } from '../../testing/form-in.ts';
import { addItem } from '../../testing/open-test-database.ts';

async function openItems(t: TestContext, count: number) {
  const application = await createTestApplication(t);
  for (let number = 1; number <= count; number++) {
    const tags = number % 2 === 0 ? ['even & round'] : [];
    const thing = { name: `Thing ${number}`, description: '', quantity: 5, location: '', tags };
    await addItem(application.database, thing);
  }
  return application;
}

/** The addresses of the page, by the texts of their links; the first of each text. */
function linksIn(markup: string): Readonly<Record<string, string>> {
  const links = [...markup.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g)];
  return Object.fromEntries(
    links.reverse().map(([, path = '', text = '']) => [text, path.replaceAll('&amp;', '&')]),
  );
}

const EVEN = '?tag=even+%26+round&sort=oldest';

test('an item leads back to the page of the list, and to its neighbours there', async (t) => {
  const visitor = createVisitor(await openItems(t, 44));
  const links = async (path: string) => linksIn(bodyText(await visitor.get(path)));
  assert.equal((await links('/items'))['Thing 44'], '/items/44');
  assert.equal((await links('/items?sort=newest&page=1&nothing=else'))['Thing 44'], '/items/44');
  assert.equal((await links('/items?page=2'))['Thing 24'], '/items/24?page=2');
  assert.equal((await links(`/items${EVEN}`))['Thing 2'], `/items/2${EVEN}`);
  const last = (await links(`/items${EVEN}&page=2`))['Thing 42'] ?? '';
  assert.equal(last, `/items/42${EVEN}&page=2`);
  const item = await links(last);
  assert.equal(item['← Matching items'], `/items${EVEN}&page=2`);
  assert.equal(item['← Previous'], `/items/40${EVEN}&page=2`);
  assert.equal(item['Next →'], `/items/44${EVEN}&page=2`);
  assert.equal((await links(`/items/44${EVEN}`))['Next →'], undefined);

  const plain = await links('/items/44');
  assert.equal(plain['← All items'], '/items');
  assert.deepEqual([plain['← Previous'], plain['Next →']], [undefined, '/items/43']);
  assert.equal((await links('/items/24?page=2'))['← All items'], '/items?page=2');
});

test('after an edit, a change of the quantity and a deletion the links lead to the same list', async (t) => {
  const application = await openItems(t, 6);
  const member = await createMember(application);
  const item = `/items/4${EVEN}`;
  const { Edit: edit = '' } = linksIn(bodyText(await member.get(item)));
  assert.equal(edit, `/items/4/edit${EVEN}`);
  const form = formIn(bodyText(await member.get(edit)), 'edit');
  assert.equal(linksIn(form)['Cancel'], item);
  const target = actionOf(form);
  const typed = { name: '', description: '', quantity: '5', location: '', tags: 'even & round' };
  const refused = await member.post(target, { ...hiddenFields(form), ...typed, button: 'save' });
  assert.equal(refused.status, 400);
  const again = formIn(bodyText(refused), 'edit');
  assert.equal(actionOf(again), target);
  const fields = { ...hiddenFields(again), ...typed, name: 'Thing 4b', button: 'save' };
  const saved = await member.post(target, fields);
  assert.deepEqual([saved.status, headerOf(saved, 'Location')], [303, item]);

  const count = formIn(bodyText(await member.get(item)), 'quantity');
  const taken = { ...hiddenFields(count), amount: '9', reason: '', button: 'take' };
  const tooMany = await member.post(actionOf(count), taken);
  assert.equal(tooMany.status, 400);
  assert.equal(linksIn(bodyText(tooMany))['← Thing 4b'], item);
  const fewer = formIn(bodyText(tooMany), 'quantity');
  const done = await member.post(actionOf(fewer), {
    ...hiddenFields(fewer),
    amount: '2',
    reason: '',
    button: 'take',
  });
  assert.deepEqual([done.status, headerOf(done, 'Location')], [303, item]);

  const remove = formIn(bodyText(await member.get(`${item}&page=3`)), 'delete');
  const gone = await member.post(actionOf(remove), hiddenFields(remove));
  assert.deepEqual([gone.status, headerOf(gone, 'Location')], [303, `/items${EVEN}&page=3`]);
  assert.match(bodyText(await member.get(`/items${EVEN}&page=3`)), /“Thing 4b” was deleted\./);
});

function actionOf(form: string): string {
  return (/action="([^"]*)"/.exec(form)?.[1] ?? '').replaceAll('&amp;', '&');
}

test('an item is shown without neighbours while too many searches wait', async (t) => {
  const application = await openItems(t, 3);
  const { items } = application.models;
  t.mock.method(items, 'neighbours', async () => {
    throw new QueueFull('Too many searches are waiting.');
  });
  const answer = await createVisitor(application).get('/items/2?q=thing');
  assert.equal(answer.status, 200);
  const links = linksIn(bodyText(answer));
  assert.equal(links['← Matching items'], '/items?q=thing');
  assert.deepEqual([links['← Previous'], links['Next →']], [undefined, undefined]);
});
