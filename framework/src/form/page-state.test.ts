import assert from 'node:assert/strict';
import test from 'node:test';
import { buttonField } from '../field/button-field.ts';
import { hiddenField, textField } from '../field/fields.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { seeOther, withSession } from '../http/response.ts';
import { startSession } from '../session/session-change.ts';
import { createSite } from '../site/create-site.ts';
import { formPage } from '../site/form-page.ts';
import { createMemoryStores } from '../site/stores.ts';
import { stepPages } from '../steps/step-pages.ts';
import { steps } from '../steps/steps.ts';
import { restoredFields } from '../testing/restore-text.ts';
import {
  bodyText,
  createVisitor,
  hiddenFields,
  toFormData,
  type Visitor,
} from '../testing/visitor.ts';
import { fileField } from '../upload/file-field.ts';
import { blankForm, defineForm, type Form } from './define-form.ts';
import { rows } from './field-set.ts';
import { formTag } from './form-markup.ts';

const text = textField({ label: 'Text', required: 'Enter a text', maxLength: 9 });
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
  const open = async () => bodyText(await visitor.get('/'));
  return { visitor, open, saved, change: () => number++ };
}

test('text that a browser has put beside newer hidden fields is shown again, and then saved once', async () => {
  const { visitor, open, saved, change } = openPage(noted);
  const first = await open();
  change();
  const restored = { ...restoredFields(first, await open()), text: 'typed' };
  const asked = await visitor.post('/?send', restored);
  assert.equal(asked.status, 409);
  const markup = bodyText(asked);
  assert.match(markup, /Your browser loaded this page again[\s\S]* value="typed"/);
  assert.deepEqual(saved, []);
  for (let count = 0; count < 2; count++) {
    const again = { ...restoredFields(markup, markup), text: 'typed' };
    assert.equal((await visitor.post('/?send', again)).status, 303);
  }
  assert.deepEqual(saved, [{ text: 'typed', seen: '2' }]);
});

test('text is shown again beside newer hidden fields also if both pages have one key, as with a draft', async () => {
  const { visitor, saved } = openPage(noted);
  const { once } = blankForm(noted);
  const draw = (seen: string) => formTag({ ...blankForm(noted, { seen }), once }, html``).markup;
  const hidden = (seen: string) => html`<input type="hidden" name="seen" value="${seen}">`.markup;
  const restored = restoredFields(draw('1'), draw('2') + hidden('2'));
  assert.equal((await visitor.post('/?send', { ...restored, text: 'typed' })).status, 409);
  assert.deepEqual(saved, []);
});

test('a revision is empty beside text of an earlier page', async () => {
  const { visitor, open, saved, change } = openPage(versioned);
  const first = await open();
  change();
  const restored = restoredFields(first, await open());
  await visitor.post('/?send', { ...restored, text: 'typed' });
  assert.deepEqual(saved, [{ text: 'typed', version: '' }]);
});

test('text beside the same hidden fields is saved, and so is the form of a program', async () => {
  for (const form of [noted, versioned]) {
    const { visitor, open, saved } = openPage(form);
    const restored = restoredFields(await open(), await open());
    assert.equal((await visitor.post('/?send', { ...restored, text: 'typed' })).status, 303);
    assert.equal((await visitor.post('/?send', { text: 'other', seen: '1' })).status, 303);
    assert.equal(saved.length, 2);
  }
});

const KINDS = {
  flat: defineForm({ text }),
  file: defineForm({ text, scan: fileField({ label: 'Scan', maxSize: 99 }) }),
  rows: defineForm({ text, list: rows({ label: 'List', name: 'Row', fields: { text }, max: 9 }) }),
} as const;

/** Each kind of form; `done` is what was carried out. */
function openSite() {
  const done: string[] = [];
  const say = (typed: string, { session }: { session: { user: { name: string } } | null }) => {
    done.push(`${typed} by ${session?.user.name ?? 'nobody'}`);
    return localPath(`/done/${done.length}`);
  };
  const site = createSite(createMemoryStores(), { log: false }).post(
    '/login/:name',
    ({ params: { name } }) =>
      withSession(seeOther(localPath('/')), startSession({ id: name, name })),
  );
  for (const [kind, form] of Object.entries(KINDS))
    formPage(site, `/${kind}`, form as typeof KINDS.flat, {
      button: 'Save',
      show: ({ formHtml }) => html`<main>${formHtml}</main>`,
      send: ({ values, ...context }) => say(values.text, context),
    });
  const order = steps()
    .step('room', KINDS.flat, { title: 'Room' })
    .step('meal', KINDS.flat, { title: 'Meal' });
  stepPages(site, '/order', order, {
    button: 'Order',
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    send: ({ answers, ...context }) => say(answers.room.text, context),
  });
  return { done, openVisitor: () => createVisitor(site) };
}

const open = async (visitor: Visitor, path: string) => bodyText(await visitor.get(path));
const SENT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  flat: { text: 'tent' },
  file: { text: 'tent' },
  rows: { text: 'tent', 'list.0': 'row', 'list.0.text': 'peg' },
};

/** As a browser sends the form of a page; resolves to the address that follows. */
async function send(visitor: Visitor, kind: string, fields: object): Promise<string> {
  const typed = { ...fields, ...SENT[kind] };
  const { status, headers } =
    kind === 'file'
      ? await visitor.post(
          '/file?send',
          toFormData({ ...typed, scan: new File(['%PDF'], 'a.pdf') }),
        )
      : await visitor.post(`/${kind}?send`, typed);
  return `${status} ${headers['Location']}`;
}

for (const kind of Object.keys(KINDS))
  for (const user of [null, 'ada'])
    test(`${kind}, ${user ?? 'visitor'}: text that was sent counts once in a newer page, and again in a new one`, async () => {
      const { done, openVisitor } = openSite();
      const visitor = openVisitor();
      if (user !== null) await visitor.post(`/login/${user}`);
      const first = await open(visitor, `/${kind}`);
      const sent = restoredFields(first, first);
      assert.equal('_page' in sent, false, 'a page sends nothing more');
      const answer = await send(visitor, kind, sent);
      assert.equal(answer, '303 /done/1');
      const newer = await open(visitor, `/${kind}`);
      const restored = restoredFields(first, newer);
      // Also together, as a double click, and on a page that is newer still.
      const answers = await Promise.all([
        send(visitor, kind, restored),
        send(visitor, kind, restored),
        send(visitor, kind, restoredFields(first, await open(visitor, `/${kind}`))),
      ]);
      assert.deepEqual(answers, Array(3).fill(answer));
      // The same text in a page that nothing was put into.
      assert.equal(await send(visitor, kind, restoredFields(newer, newer)), '303 /done/2');
      assert.equal(done.length, 2);
    });

test('text of an earlier page that was changed, or not sent before, counts once', async () => {
  const { done, openVisitor } = openSite();
  const visitor = openVisitor();
  const first = await open(visitor, '/flat');
  const post = (fields: object, typed: string) =>
    visitor.post('/flat?send', { ...fields, text: typed });
  const restored = restoredFields(first, await open(visitor, '/flat'));
  // Refused, corrected on the page that says so, and sent twice.
  const refused = await post(restored, '');
  assert.equal(refused.status, 400);
  const markup = bodyText(refused);
  for (let count = 0; count < 2; count++) await post(restoredFields(markup, markup), 'tent');
  await post(restored, 'tent');
  await post(restored, 'ladder');
  await post({ ...hiddenFields(first) }, 'ladder');
  assert.deepEqual(done, ['tent by nobody', 'ladder by nobody']);
});

test('the first step in a newer page starts other answers, and carries nothing out by itself', async () => {
  const { done, openVisitor } = openSite();
  const visitor = openVisitor();
  const first = await open(visitor, '/order');
  const post = (path: string, fields: object) => visitor.post(path, { ...fields, text: '7' });
  const meal = String((await post('/order', hiddenFields(first))).headers['Location']);
  const shown = await open(visitor, meal);
  const check = String((await post(meal, hiddenFields(shown))).headers['Location']);
  await visitor.submit(check, {});
  assert.equal(done.length, 1);
  const restored = restoredFields(first, await open(visitor, '/order'));
  const { headers } = await post('/order', restored);
  assert.match(String(headers['Location']), /^\/order\/[\w-]{22}\/meal$/);
  assert.notEqual(headers['Location'], meal);
  assert.equal(done.length, 1);
});

test('a forged mark finds no receipt of another sender, and carries out the form of its own', async () => {
  const { done, openVisitor } = openSite();
  const [ada, bo, visitor] = [openVisitor(), openVisitor(), openVisitor()];
  await ada.post('/login/ada');
  await bo.post('/login/bo');
  const first = await open(ada, '/flat');
  assert.equal(await send(ada, 'flat', hiddenFields(first)), '303 /done/1');
  const forged = restoredFields(first, await open(bo, '/flat'));
  assert.equal(await send(bo, 'flat', forged), '303 /done/2');
  const visitors = restoredFields(first, await open(visitor, '/flat'));
  assert.equal(await send(visitor, 'flat', visitors), '303 /done/3');
  assert.deepEqual(done, ['tent by ada', 'tent by bo', 'tent by nobody']);
  // The key is still of the account that opened the newer page.
  await ada.post('/login/bo');
  const { status } = await ada.post('/flat?send', { ...hiddenFields(first), text: 'tent' });
  assert.equal(status, 409);
});

test('values that no page has in its options change nothing', async () => {
  const { done, openVisitor } = openSite();
  const visitor = openVisitor();
  const fields = hiddenFields(await open(visitor, '/flat'));
  for (const _page of ['', 'page', '\u{fffd}', '~', '"', '__proto__', 'x'.repeat(12)])
    assert.equal(await send(visitor, 'flat', { ...fields, _page }), '303 /done/1');
  // A program's key is the program's own.
  const program = { _once: '0123456789', _page: ['!', '#'] };
  for (let count = 0; count < 2; count++)
    assert.equal(await send(visitor, 'flat', program), '303 /done/2');
  assert.equal(done.length, 2);
});

test('a form that nobody types into has no state of a page', () => {
  const button = buttonField({ buttons: [{ value: 'go', label: 'Go' }] });
  const seen = hiddenField();
  for (const { markup } of [
    formTag(blankForm(defineForm({ button })), html``),
    formTag(blankForm(defineForm({ seen, button })), html``),
  ])
    assert.doesNotMatch(markup, /_page/);
});
