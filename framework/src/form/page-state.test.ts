import assert from 'node:assert/strict';
import test from 'node:test';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { createSite } from '../site/create-site.ts';
import { formPage } from '../site/form-page.ts';
import { createMemoryStores } from '../site/stores.ts';
import { bodyText, createVisitor, hiddenFields } from '../testing/visitor.ts';
import { defineForm, type Form } from './define-form.ts';
import { hiddenField, textField } from './fields.ts';

const text = textField({ label: 'Text', maxLength: 9 });
const noted = defineForm({ text, seen: hiddenField() });
const versioned = defineForm({ text, version: hiddenField({ revision: true }) });

/** A page whose hidden field has the number of the last change, and does not look at it. */
function openPage(form: Form<typeof noted.fields> | Form<typeof versioned.fields>) {
  const saved: unknown[] = [];
  let number = 1;
  const site = createSite(createMemoryStores(), { log: false });
  formPage(site, '/', form as typeof noted, {
    button: 'Save',
    fill: () => ({ [form === versioned ? 'version' : 'seen']: `${number}` }),
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    send({ values }) {
      saved.push(values);
      return localPath('/');
    },
  });
  const visitor = createVisitor(site);
  const open = async () => {
    const markup = bodyText(await visitor.get('/'));
    const options = [...markup.matchAll(/<option selected>([^<]+)<\/option>/g)];
    return { ...hiddenFields(markup), _page: options.map(([, option = '']) => option) };
  };
  return { visitor, open, saved, change: () => number++ };
}

/** What is left of the chosen options of a page, when a browser restores them on another. */
function restore(one: readonly string[], other: readonly string[]) {
  return other.filter((option) => one.includes(option));
}

test('text that a browser has put beside newer hidden fields is shown again, and then saved once', async () => {
  const { visitor, open, saved, change } = openPage(noted);
  const first = await open();
  change();
  const second = await open();
  const _page = restore(first._page, second._page);
  const asked = await visitor.post('/?send', { ...second, _page, text: 'typed' });
  assert.equal(asked.status, 409);
  const markup = bodyText(asked);
  assert.match(markup, /Your browser loaded this page again[\s\S]* value="typed"/);
  assert.deepEqual(saved, []);
  for (let count = 0; count < 2; count++) {
    const again = { ...hiddenFields(markup), text: 'typed' };
    assert.equal((await visitor.post('/?send', again)).status, 303);
  }
  assert.deepEqual(saved, [{ text: 'typed', seen: '2' }]);
});

test('a revision is empty beside text of an earlier page', async () => {
  const { visitor, open, saved, change } = openPage(versioned);
  const first = await open();
  change();
  const second = await open();
  const _page = restore(first._page, second._page);
  await visitor.post('/?send', { ...second, _page, text: 'typed' });
  assert.deepEqual(saved, [{ text: 'typed', version: '' }]);
});

test('text beside the same hidden fields is saved, and so is the form of a program', async () => {
  const { visitor, open, saved } = openPage(noted);
  const first = await open();
  const { _page, ...second } = await open();
  const restored = { ...second, _page: restore(first._page, _page), text: 'typed' };
  assert.equal((await visitor.post('/?send', restored)).status, 303);
  assert.equal((await visitor.post('/?send', { text: 'other', seen: '1' })).status, 303);
  assert.equal(saved.length, 2);
});

test('a form without hidden fields, or without typed ones, has nothing to compare', async () => {
  for (const form of [defineForm({ text }), defineForm({ seen: hiddenField() })])
    assert.equal(form.hasState, false);
});
