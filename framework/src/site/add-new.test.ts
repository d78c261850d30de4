/** The button of a choice that leads to the form which adds one, and back. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { choiceField, choicesField } from '../field/choice-field.ts';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { seeOther, withSession } from '../http/response.ts';
import { startSession } from '../session/session-change.ts';
import { stepPages } from '../steps/step-pages.ts';
import { steps } from '../steps/steps.ts';
import { get } from '../testing/make-request.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { createSite } from './create-site.ts';
import { formPage } from './form-page.ts';
import { returnPath } from './park-draft.ts';
import { createMemoryStores } from './stores.ts';

const HOME = localPath('/');
const note = textField({ label: 'Note', maxLength: 70_000 });

function open() {
  const tags = ['red', 'blue'];
  const logIn = (id: number) =>
    withSession(seeOther(HOME), startSession({ id, name: `user ${id}` }));
  const site = createSite(createMemoryStores(), { log: false })
    .post('/login', () => logIn(1))
    .post('/login/:id<int>', ({ params: { id } }) => logIn(id))
    .get('/', () => seeOther(HOME));
  formPage(
    site,
    '/things',
    () =>
      defineForm({
        tags: choicesField({
          label: 'Tags',
          choices: tags.map((value) => ({ value, label: value })),
          addNew: { label: 'Add a tag', path: localPath('/tags') },
        }),
        note,
      }),
    { button: 'Save', show: ({ formHtml }) => html`${formHtml}`, send: () => HOME },
  );
  formPage(site, '/tags', defineForm({ name: note }), {
    button: 'Add',
    show: ({ formHtml }) => html`${formHtml}`,
    send({ request, values: { name } }) {
      tags.push(name);
      return returnPath(request, { tags: [name] }, HOME);
    },
  });
  return [createVisitor(site), createVisitor(site)] as const;
}

const LEAVE = { tags: 'red', note: 'Kept', _change: 'leave tags' };

test('what was added is chosen beside what was chosen before, and the address has no key of the text', async () => {
  const [visitor] = open();
  await visitor.post('/login', {});
  const left = await visitor.submit('/things?x=1', LEAVE);
  assert.equal(left.status, 303);
  const { Location: address = '' } = left.headers;
  assert.match(String(address), /^\/tags\?next=%2Fthings%3Fx%3D1%26_draft%3D/);
  const added = await visitor.submit(String(address), { name: 'green' });
  const claimed = await visitor.get(String(added.headers.Location));
  assert.equal(claimed.headers.Location, '/things?x=1');
  const page = bodyText(await visitor.follow(claimed));
  assert.match(page, /value="red" checked.*value="blue">.*value="green" checked.*value="Kept"/s);
});

test('a visitor finds the form as it was, in the browser that has left it', async () => {
  const [visitor, stranger] = open();
  const left = await visitor.submit('/things?x=1', LEAVE);
  assert.match(
    String(left.headers['Set-Cookie']),
    /^draft-[\w-]{8}=[\w-]{43}; .*Max-Age=3600; HttpOnly/,
  );
  const added = await visitor.submit(String(left.headers.Location), { name: 'green' });
  const back = String(added.headers.Location);
  const page = await visitor.get(back);
  assert.match(bodyText(page), /value="red" checked.*value="green" checked.*value="Kept"/s);
  assert.equal((await visitor.submit(page, { tags: ['red', 'green'] })).status, 303);
  assert.doesNotMatch(bodyText(await visitor.get('/things?x=1')), /Kept/);
  assert.doesNotMatch(bodyText(await stranger.get(back)), /Kept| checked/);
});

test('the address of the other form gives the text to no other account', async () => {
  for (const path of ['/login', null]) {
    const [visitor, stranger] = open();
    if (path !== null) await visitor.post(path, {});
    const left = await visitor.submit('/things', LEAVE);
    await stranger.post('/login/2', {});
    const added = await stranger.submit(String(left.headers.Location), { name: 'green' });
    assert.doesNotMatch(bodyText(await stranger.follow(added)), /Kept| checked/);
    const own = await visitor.submit(String(left.headers.Location), { name: 'pink' });
    assert.match(bodyText(await visitor.follow(own)), /value="Kept"/);
  }
});

test('a step is left and found again as a page is, also by a visitor', async () => {
  const site = createSite(createMemoryStores(), { log: false });
  const tags = ['red'];
  const tagsForm = () =>
    defineForm({
      tag: choiceField({
        label: 'Tag',
        choices: tags.map((value) => ({ value, label: value })),
        addNew: { label: 'Add a tag', path: localPath('/tags') },
      }),
      note,
    });
  const order = steps()
    .step('name', defineForm({ name: note }), { title: 'Name' })
    .step('tags', tagsForm, { title: 'Tags' });
  stepPages(site, '/order', order, {
    button: 'Send',
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    send: () => HOME,
  });
  site.get('/tags', ({ request }) => seeOther(returnPath(request, { tag: 'green' }, HOME)));
  const visitor = createVisitor(site);
  const second = await visitor.submit('/order', { name: 'Ada' });
  const page = String(second.headers.Location);
  await visitor.submit(page, { tag: 'red', note: 'Older' });
  const left = await visitor.submit(page, { note: 'Typed', _change: 'leave tag' });
  tags.push('green');
  const back = await visitor.follow(left);
  assert.match(bodyText(back), /value="green" selected.*value="Typed"/s);
  const check = await visitor.submit(back, { tag: 'green', note: 'Typed' });
  assert.match(bodyText(await visitor.follow(check)), /<dd>green<\/dd>.*<dd>Typed<\/dd>/s);
});

test('a form in which nothing was typed leads on too, and no address of a stranger fills one', async () => {
  const [visitor] = open();
  await visitor.post('/login', {});
  const left = await visitor.submit('/things', { _change: 'leave tags' });
  const added = await visitor.submit(String(left.headers.Location), { name: 'green' });
  const page = bodyText(await visitor.follow(await visitor.get(String(added.headers.Location))));
  assert.match(page, /value="green" checked/);
  const claimed = await visitor.get('/things?_draft.tags=red&_draft.note=Planted');
  assert.equal(claimed.headers.Location, '/things');
  assert.doesNotMatch(bodyText(await visitor.follow(claimed)), /Planted|value="red" checked/);
});

test('a form whose text is too long to be kept meanwhile is shown again, and says so', async () => {
  for (const isUser of [false, true]) {
    const [visitor] = open();
    if (isUser) await visitor.post('/login', {});
    const long = await visitor.submit('/things', { ...LEAVE, note: 'x'.repeat(66_000) });
    assert.equal(long.status, 400);
    assert.match(bodyText(long), /<a href="#tags">What you have typed is too long to be kept/);
    assert.match(bodyText(long), /value="red" checked/);
  }
});

test('a form leads back to pages of the site alone', () => {
  const back = (target: string) => returnPath(get(target), { person: 7 }, HOME);
  assert.equal(back('/new?next=/lend?a=1'), '/lend?a=1&_draft.person=7');
  for (const next of ['', '?next=', '?next=//evil.example', '?next=https://evil.example'])
    assert.equal(back(`/new${next}`), '/');
});
