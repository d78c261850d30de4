/** The work for a form that was sent is bounded by its length, whatever its definition would allow. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { choiceField } from '../field/choice-field.ts';
import { textField } from '../field/fields.ts';
import { toChange } from '../form/change-form.ts';
import { blankForm, defineForm, type Fields, type Form } from '../form/define-form.ts';
import { rows } from '../form/field-set.ts';
import { formField } from '../form/form-markup.ts';
import { MAX_DRAWN } from '../form/page-space.ts';
import { localPath } from '../http/href.ts';
import type { Router } from '../router/router.ts';
import { post } from '../testing/make-request.ts';
import { bodyText, hiddenFields } from '../testing/visitor.ts';
import { createSite } from './create-site.ts';
import { formPage } from './form-page.ts';
import { createMemoryStores } from './stores.ts';

const range = (count: number) => Array.from({ length: count }, (_, at) => at);
const cells = (
  count: number,
  make = (at: number) => textField({ label: `Cell ${at}`, maxLength: 40, required: `Enter ${at}` }),
) => Object.fromEntries(range(count).map((at) => [`c${at}`, make(at)]));
const list = (fields: Fields, max: number, title?: string) =>
  rows({
    label: 'List',
    name: 'Row',
    fields,
    max,
    ...(title === undefined ? {} : { title: title as never }),
  });

function createPage(fields: Fields) {
  const form: Form<Fields> = defineForm(fields);
  const sent: unknown[] = [];
  const site = createSite(createMemoryStores(), { log: false, errors: { report: () => {} } });
  const router = formPage(site, '/', form, {
    button: 'Send',
    show: ({ formHtml }) => formHtml,
    send({ values }) {
      sent.push(values);
      return localPath('/done');
    },
  });
  return { router: router as unknown as Router<never>, sent };
}

type Pairs = readonly (readonly [string, string])[];

async function send(router: Router<never>, pairs: Pairs) {
  const body = String(new URLSearchParams([['_once', 'key'], ...pairs.map((pair) => [...pair])]));
  const answer = await router.handle(post('/', body));
  const markup = answer.body === null ? '' : bodyText(answer);
  return {
    status: answer.status,
    markup,
    drawn: markup.split(/<fieldset class="row[" ]/).length - 1,
    kept: markup.split(' data-kept').length - 1,
  };
}

const marks = (count: number, path = 'list'): Pairs =>
  range(count).map((at) => [`${path}.${at}`, 'row'] as const);

test('no body makes a page of a megabyte, or draws more rows than it shows', async () => {
  const land = choiceField({
    label: 'Land',
    required: 'Choose',
    choices: range(250).map((at) => ({ value: `v${at}`, label: `Country ${at}` })),
  });
  const inner = { name: textField({ label: 'Name', maxLength: 9 }), list: list(cells(3), 200) };
  const bodies: readonly (readonly [string, Fields, Pairs])[] = [
    ['rows beyond max', { list: list(cells(20), 40) }, marks(800)],
    ['wide rows', { list: list(cells(100), 100) }, marks(100)],
    ['many rows', { list: list(cells(20), 1_000) }, marks(1_000)],
    ['selects', { list: list({ land }, 200) }, marks(200)],
    [
      'rows within rows',
      { list: list(inner, 50) },
      range(50).flatMap((at) => marks(200, `list.${at}.list`)),
    ],
    [
      'long titles',
      { list: list(cells(20), 100, 'c0') },
      range(100).map((at) => [`list.${at}.c0`, '<'.repeat(3_000)] as const),
    ],
    [
      'long texts',
      { list: list(cells(20), 1_000) },
      range(1_000).flatMap((at) =>
        range(20).map((cell) => [`list.${at}.c${cell}`, at === 7 ? '' : '"'.repeat(10)] as const),
      ),
    ],
  ];
  for (const [name, fields, pairs] of bodies) {
    const { router } = createPage(fields);
    const { status, markup, drawn, kept } = await send(router, pairs);
    assert.equal(status, 400, name);
    assert.ok(markup.length < 1_000_000, `${name}: ${markup.length} characters`);
    assert.ok(drawn > 0 && drawn < 1_500, `${name}: ${drawn} rows`);
    assert.equal(kept > 0, markup.includes('This page is too short'), name);
    assert.ok(markup.split('<li>').length < 400, `${name}: too many errors`);
  }
});

test('rows that are not drawn are sent again as they are, and nothing is lost', async () => {
  const { router, sent } = createPage({ list: list(cells(4), 1_000) });
  const typed = range(600).flatMap((at) =>
    range(4).map((cell) => [`list.${at}.c${cell}`, `${at} & ${cell}`] as const),
  );
  const wrong = typed.map(([name, text]) =>
    name === 'list.599.c3' ? ([name, ''] as const) : ([name, text] as const),
  );
  const { markup, drawn, kept } = await send(router, wrong);
  assert.equal(drawn + kept, 600);
  assert.ok(kept > 0);
  // The row with the error is drawn, although it is the last.
  assert.match(markup, /<input type="text" id="list\.599\.c3"/);
  const again = Object.entries({ ...hiddenFields(markup), ...textFields(markup) });
  const mended = again.map(([name, text]) =>
    name === 'list.599.c3' ? ([name, '599 & 3'] as const) : ([name, String(text)] as const),
  );
  assert.equal((await send(router, mended)).status, 303);
  assert.deepEqual(sent, [
    {
      list: range(600).map((at) =>
        Object.fromEntries(range(4).map((cell) => [`c${cell}`, `${at} & ${cell}`])),
      ),
    },
  ]);
});

test('a row that a button adds is drawn, also behind rows that are not', async () => {
  const { router } = createPage({ list: list(cells(20), 1_000) });
  const pairs: Pairs = [...marks(500), ['_change', toChange('add', 'list')]];
  const { status, markup, kept } = await send(router, pairs);
  assert.equal(status, 200);
  assert.ok(kept > 0);
  assert.match(markup, /<input type="text" id="list\.500\.c0"[^>]* autofocus/);
});

test('a page that the application fills shows all of its rows', async () => {
  const form = defineForm({ list: list(cells(20), 1_000) });
  const { markup } = formField(blankForm(form, { list: range(500).map(() => ({})) }), 'list');
  assert.ok(markup.length > MAX_DRAWN);
  assert.equal(markup.split(/<fieldset class="row[" ]/).length - 1, 500);
});

function textFields(markup: string): Record<string, string> {
  const found = markup.matchAll(/<input type="text"[^>]* name="([^"]*)"[^>]* value="([^"]*)"/g);
  return Object.fromEntries(
    [...found].map(([, name = '', text = '']) => [name, text.replaceAll('&amp;', '&')]),
  );
}
