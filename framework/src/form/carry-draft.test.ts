import assert from 'node:assert/strict';
import test from 'node:test';
import { choicesField } from '../field/choice-field.ts';
import { checkboxField, hiddenField, passwordField, textField } from '../field/fields.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { page, seeOther, withSession } from '../http/response.ts';
import { catchErrors } from '../middleware/catch-errors.ts';
import { type FormAction, refuse, statusOf } from '../once/form-action.ts';
import { createRouter } from '../router/router.ts';
import { loadSession } from '../session/load-session.ts';
import { createMemorySessionStore } from '../session/memory-session-store.ts';
import { requireSession } from '../session/require-session.ts';
import type { Draft } from '../session/session.ts';
import { startSession } from '../session/session-change.ts';
import { get, type post } from '../testing/make-request.ts';
import { runReadForm } from '../testing/run-read-form.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import {
  MAX_DRAFT_LENGTH,
  parseDraft,
  readDraft,
  restoreDraft,
  serializeDraft,
} from './carry-draft.ts';
import { blankForm, defineForm } from './define-form.ts';
import { rows } from './field-set.ts';
import { readForm } from './read-form.ts';

const form = defineForm({
  name: textField({ label: 'Name', maxLength: 99_999, required: 'Enter a name' }),
  note: textField({ label: 'Note', maxLength: 9, default: 'as always' }),
  chosen: hiddenField({ inDraft: 'alone' }),
  lent: checkboxField({ label: 'Lent out' }),
  secret: passwordField({ label: 'Secret', required: 'Enter it', minLength: 1, maxLength: 9 }),
  next: hiddenField(),
  version: hiddenField({ inDraft: true }),
});
const a = textField({ label: 'A', maxLength: 9 });
const within = rows({ label: 'In', name: 'In', fields: { b: a }, max: 3, default: 0 });
const guestForm = defineForm({
  guests: rows({ label: 'Guests', name: 'Guest', fields: { a, in: within }, max: 3 }),
});
const save: FormAction<typeof form.fields> = (context, next) => {
  const { validation } = context;
  if (!validation.valid) return next(refuse(context));
  return seeOther(localPath('/saved'));
};
const DRAFT: Draft = {
  action: '/things',
  path: '/things/new',
  fields: { name: 'Chair', lent: 'on' },
  once: 'the-key',
  language: 'en',
};

/**
 * A site whose log-in takes the draft from the query, and whose 401 page contains only the draft.
 */
function createSite() {
  return createRouter()
    .use(
      catchErrors({
        page: async ({ status }, context) => {
          const draft = await readDraft(context);
          return page(html`${draft === null ? 'none' : serializeDraft(draft)}`, status);
        },
        report: () => {},
      }),
    )
    .use(loadSession({ store: createMemorySessionStore() }))
    .post('/log-in', ({ request }) => {
      const draft = parseDraft(request.query.get('draft') ?? '');
      return withSession(seeOther(localPath('/')), startSession({ id: 1, name: 'ada' }, { draft }));
    })
    .get('/things/new', requireSession, (context) => {
      const restored = restoreDraft(form, context);
      const { text, once } = restored ?? blankForm(form);
      return page(html`${restored === null ? 'blank' : JSON.stringify({ text, once })}`);
    })
    .get('/other', requireSession, (context) => page(html`${String(restoreDraft(form, context))}`))
    .post('/things', requireSession, readForm(form, { page: '/things/new' }), save, (context) =>
      page(html`refused`, statusOf(context)),
    )
    .post('/guests', requireSession, readForm(guestForm), () => page(html``, 400))
    .post('/things/:number', requireSession, readForm(form), save, () => page(html``, 400))
    .post(
      '/wrapped',
      (context, next) => readForm(form, { page: '/things/new' })(context, next),
      requireSession,
      () => page(html``, 400),
    )
    .post('/plain', requireSession, () => page(html``, 400));
}

const textOf = (markup: string) => markup.replaceAll('&quot;', '"');

async function draftOf(path: string, body: Parameters<typeof post>[1]): Promise<Draft | null> {
  const answer = await createVisitor(createSite()).post(path, body);
  assert.equal(answer.status, 401);
  return parseDraft(textOf(bodyText(answer)));
}

async function logInWith(draft: Draft) {
  const visitor = createVisitor(createSite());
  await visitor.post(`/log-in?draft=${encodeURIComponent(serializeDraft(draft))}`);
  const shown = async (path = '/things/new') => textOf(bodyText(await visitor.get(path)));
  return { visitor, shown };
}

test('a form without a session leaves a draft of what was typed, with its key', async () => {
  const typed = { name: 'Chair', lent: 'on', note: '', _once: 'the-key', unknown: 'x' };
  assert.deepEqual(await draftOf('/things', typed), DRAFT);
});

test('a name with an index that no page has written takes nothing else from a draft', async () => {
  const names = ['0.x', 'x', 'x.a', '1000.a', '-1.a', '01.a', '.a', '1e3', '0.in.x.b', '0.when.x'];
  for (const name of names.map((one) => `guests.${one}`)) {
    const sent = { 'guests.0.a': 'Ann', [name]: 'typed' };
    assert.deepEqual((await draftOf('/guests', sent))?.fields, {
      'guests.0': 'row',
      'guests.0.a': 'Ann',
    });
  }
});

test('a draft knows its form also if readForm is wrapped in another middleware', async () => {
  const typed = { name: 'Chair', lent: 'on', secret: 'swordfish', unknown: 'x', _once: 'the-key' };
  assert.deepEqual(await draftOf('/wrapped', typed), { ...DRAFT, action: '/wrapped' });
});

test('a draft has neither passwords nor hidden fields', async () => {
  const draft = await draftOf('/things', { name: 'Chair', secret: 'swordfish', next: '/items' });
  assert.deepEqual(draft?.fields, { name: 'Chair' });
  assert.equal(await draftOf('/things', { secret: 'swordfish' }), null);
});

test('the page of a form is the address it was sent to unless its route names another', async () => {
  const quoted = await draftOf("/things/7?q=~'&send", { name: 'Chair' });
  assert.equal(quoted?.path, '/things/7?q=~%27');
  const draft = await draftOf('/things/7?send&sort=name', { name: 'Chair' });
  assert.equal(draft?.action, '/things/7');
  assert.equal(draft?.path, '/things/7?sort=name');
});

test('the path of a draft may be given the query of its page', async () => {
  const draft = { ...DRAFT, path: '/things/new?sort=name' };
  assert.deepEqual(parseDraft(serializeDraft(draft)), draft);
  const { shown } = await logInWith(draft);
  assert.match(await shown('/things/new?page=2'), /Chair/);
});

test('an empty form, a body that is not a form and a route without a form give no draft', async () => {
  assert.equal(await draftOf('/things', { name: '', _once: 'key' }), null);
  assert.equal(await draftOf('/things', 'a=1&'.repeat(300)), null);
  assert.equal(await draftOf('/plain', { name: 'Chair' }), null);
});

test('a draft above the maximum length is dropped', async () => {
  const size = serializeDraft({
    action: '/things',
    path: '/things/new',
    fields: { name: '' },
    once: null,
    language: 'en',
  }).length;
  const longest = 'x'.repeat(MAX_DRAFT_LENGTH - size);
  assert.equal((await draftOf('/things', { name: longest }))?.fields['name'], longest);
  assert.equal(await draftOf('/things', { name: `${longest}x` }), null);
  assert.equal(
    parseDraft(serializeDraft({ ...DRAFT, fields: { name: `${longest}xxxxxxxxxxx` } })),
    null,
  );
});

test('after the log-in the page of the form shows the draft, at every request', async () => {
  const { shown } = await logInWith(DRAFT);
  const restored = JSON.stringify({
    text: { name: 'Chair', note: '', chosen: '', lent: 'on', secret: '', next: '', version: '' },
    once: 'the-key',
  });
  assert.equal(await shown(), restored);
  assert.equal(await shown(), restored);
});

test('a draft is shown only on its own page', async () => {
  const { shown } = await logInWith({ ...DRAFT, path: '/elsewhere' });
  assert.equal(await shown(), 'blank');
  assert.equal(await shown('/other'), 'null');
});

test('a draft carries a hidden field that is declared so, but alone only what was chosen', async () => {
  const draft = await draftOf('/things', { name: 'Chair', next: '/items', version: '3' });
  assert.deepEqual(draft?.fields, { name: 'Chair', version: '3' });
  assert.equal(await draftOf('/things', { version: '3' }), null);
  const chosen = await draftOf('/things', { version: '3', chosen: '7' });
  assert.deepEqual(chosen?.fields, { chosen: '7', version: '3' });
  const sent = { ...DRAFT, fields: { name: 'Chair', next: '/x', version: '3' } };
  const { shown } = await logInWith(sent);
  const { text } = JSON.parse(await shown());
  assert.deepEqual([text.version, text.next], ['3', '']);
});

test('a draft without a key gets one, and fills neither passwords nor hidden fields', async () => {
  const fields = { name: 'Chair', secret: 'x', next: '//evil', colour: 'red' };
  const { shown } = await logInWith({ ...DRAFT, fields, once: null });
  const { text, once } = JSON.parse(await shown());
  const rest = { note: '', chosen: '', lent: '', secret: '', next: '', version: '' };
  assert.deepEqual(text, { name: 'Chair', ...rest });
  assert.match(once, /^[\da-f]{10}\.[\da-f]{20}$/);
});

test('the draft is dropped when its form is carried out, and not before', async () => {
  const { visitor, shown } = await logInWith(DRAFT);
  assert.equal((await visitor.post('/things', { name: '' })).status, 400);
  assert.equal((await visitor.post('/things/7', { name: 'Chair', secret: 'x' })).status, 303);
  assert.notEqual(await shown(), 'blank');
  const sent = { name: 'Chair', secret: 'x', _once: 'the-key' };
  assert.equal((await visitor.post('/things', sent)).status, 303);
  assert.equal(await shown(), 'blank');
});

test('the draft stays when another tab sends another form to the same path', async () => {
  const { visitor, shown } = await logInWith(DRAFT);
  for (const key of [{ _once: 'another-key' }, {}]) {
    const other = { name: 'Table', secret: 'x', ...key };
    assert.equal((await visitor.post('/things', other)).status, 303);
    assert.notEqual(await shown(), 'blank');
  }
});

test('a draft without a key is dropped when any form is carried out at its path', async () => {
  const { visitor, shown } = await logInWith({ ...DRAFT, once: null });
  const sent = { name: 'Chair', secret: 'x', _once: JSON.parse(await shown()).once };
  assert.equal((await visitor.post('/things', sent)).status, 303);
  assert.equal(await shown(), 'blank');
});

test('text that is not a draft is ignored, whatever it contains', () => {
  const like = (changes: object) => JSON.stringify({ ...DRAFT, ...changes });
  assert.deepEqual(parseDraft(like({})), DRAFT);
  for (const language of [undefined, '', 7, 'no_code', `de-x-${'a'.repeat(99)}`, '__proto__'])
    assert.equal(parseDraft(like({ language })), null, `${language}`);
  const texts = [
    '',
    '{',
    'null',
    '[]',
    '7',
    '{}',
    like({ fields: null }),
    like({ path: 7 }),
    like({ path: '//evil.example/x' }),
    like({ path: '/\\evil' }),
    like({ path: 'https://evil.example' }),
    like({ path: '/things/new#x' }),
    like({ action: '/things?x=1' }),
    like({ path: '/a\r\nb' }),
    like({ action: null }),
    like({ once: 'a key' }),
    like({ once: 7 }),
  ];
  for (const text of texts) assert.equal(parseDraft(text), null, text);
});

test('a draft has only fields that are text or lists of it, and none named __proto__', () => {
  const draft = parseDraft(
    '{"action":"/a","path":"/b","fields":{"__proto__":{"x":1},"name":"Chair","list":["a"],"mixed":["a",7],"number":7},"once":null,"language":"en"}',
  );
  assert.deepEqual(draft?.fields, { name: 'Chair', list: ['a'] });
  assert.equal(({} as { x?: number }).x, undefined);
});

test('a draft carries rows, several choices and groups, and no row that was forged', async () => {
  const nested = defineForm({
    topics: choicesField({
      label: 'Topics',
      choices: [
        { value: 'a', label: 'A' },
        { value: 'b', label: 'B' },
      ],
    }),
    people: rows({
      label: 'People',
      name: 'Person',
      fields: {
        name: textField({ label: 'Name', maxLength: 9 }),
        pin: passwordField({ label: 'Pin', required: 'Enter it', minLength: 1, maxLength: 9 }),
        lent: checkboxField({ label: 'Lent' }),
      },
      max: 9,
    }),
  });
  const sent = 'topics=a&topics=b&people.3.name=Ada&people.3.pin=1&people.5=row&_once=k';
  const draft = await readDraft(await runReadForm(nested, sent));
  const fields = {
    topics: ['a', 'b'],
    'people.0': 'row',
    'people.0.name': 'Ada',
    'people.1': 'row',
  };
  assert.deepEqual(draft, { action: '/', path: '/', fields, once: 'k', language: 'en' });
  const request = get('/');
  const session = (kept: object) => ({ request, route: null, session: { draft: kept } }) as never;
  const forged = { ...fields, 'people.9999.name': 'x', 'people.__proto__.name': 'x' };
  for (const kept of [fields, forged]) {
    const restored = restoreDraft(nested, session({ ...DRAFT, path: '/', fields: kept }));
    assert.deepEqual(restored?.text, {
      topics: ['a', 'b'],
      people: [
        { name: 'Ada', pin: '', lent: '' },
        { name: '', pin: '', lent: '' },
      ],
    });
  }
});
