import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, createVisitor, hiddenFields, type Visitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from '../testing/create-test-application.ts';

const TYPED = {
  name: 'Ladder & “steps”',
  description: 'Three metres.\r\n\r\n<b>Wipe</b> the feet.',
  quantity: '2',
  location: 'Workshop',
  tags: 'tools, lent out',
};
const ADA = { username: 'ada', password: PASSWORD };

/** Somebody fills the form while the session ends, and sends it. */
async function sendWithoutSession(t: TestContext, typed: Record<string, string> = TYPED) {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const hidden = hiddenFields(bodyText(await member.get('/items/new')));
  await application.database.write((transaction) => transaction.deleteFrom('sessions').execute());
  const refused = await member.post('/items', { ...hidden, ...typed });
  const countItems = async () => (await application.models.items.list(1)).itemCount;
  const logIn = (markup: string, fields = ADA) =>
    member.post('/login', { ...logInFields(markup), ...fields });
  return {
    application,
    member,
    refused,
    markup: bodyText(refused),
    countItems,
    logIn,
    once: hidden['_once'],
  };
}

/** The hidden fields of the log-in form on the page. */
function logInFields(markup: string): Record<string, string> {
  const form = /<form[^>]*action="\/login"[\s\S]*?<\/form>/.exec(markup)?.[0] ?? '';
  return hiddenFields(form) as Record<string, string>;
}

/** What the form on the page holds, by name. */
function textsIn(markup: string): Record<string, string> {
  const toText = (text: string) =>
    text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
      .replaceAll('&quot;', '"');
  const inputs = [...markup.matchAll(/<input type="text" id="(\w+)"[^>]*? value="([^"]*)"/g)];
  const areas = [...markup.matchAll(/<textarea id="(\w+)"[^>]*>\n([^<]*)<\/textarea>/g)];
  return Object.fromEntries(
    [...inputs, ...areas].map(([, name, text]) => [name, toText(text ?? '')]),
  );
}

async function sendShown(member: Visitor, markup: string) {
  return member.post('/items', {
    ...hiddenFields(markup.slice(markup.indexOf('<h1>'))),
    ...textsIn(markup),
  });
}

test('a form whose session has ended comes back filled after the log-in, and is saved as one item', async (t) => {
  const { member, refused, markup, countItems, logIn, once } = await sendWithoutSession(t);
  assert.equal(refused.status, 401);
  assert.match(markup, /What you typed is kept on this page/);
  const loggedIn = await logIn(markup);
  assert.equal(loggedIn.status, 303);
  assert.equal(headerOf(loggedIn, 'Location'), '/items/new');

  const form = bodyText(await member.follow(loggedIn));
  assert.match(form, /so it is <strong>not saved yet<\/strong>/);
  assert.deepEqual(textsIn(form), {
    ...TYPED,
    minimum: '',
    serial: '',
    code: '',
    description: TYPED.description.replaceAll('\r', ''),
  });
  assert.match(form, new RegExp(`name="_once" value="${once}"`));
  assert.equal(await countItems(), 0, 'it is not sent by itself');

  const saved = await sendShown(member, form);
  assert.equal(headerOf(saved, 'Location'), '/items/1');
  assert.equal(await countItems(), 1);
  assert.doesNotMatch(bodyText(await member.get('/items/new')), /not saved yet|Ladder/);
});

test('a draft can be discarded', async (t) => {
  const { member, markup, logIn } = await sendWithoutSession(t);
  await logIn(markup);
  const answer = await member.submit('/items/new', {});
  assert.equal(answer.status, 303);
  assert.equal(headerOf(answer, 'Location'), '/items/new');
  assert.doesNotMatch(bodyText(await member.follow(answer)), /not saved yet|Ladder/);
});

test('text too long for a draft is on the page, to copy', async (t) => {
  const { markup } = await sendWithoutSession(t, { ...TYPED, description: 'x'.repeat(65_400) });
  assert.equal(logInFields(markup)['draft'], '');
  assert.doesNotMatch(markup, /is kept on this page/);
  assert.match(
    markup,
    /It is here so that you can copy it\.[\s\S]*<dt>Description<\/dt><dd>x{65400}</,
  );
  assert.doesNotMatch(markup, /shown in part/);
});

/** Where the form is sent, what is typed, and what its page has of it. */
const OTHER_FORMS = {
  'a loan': ['/items/1/lend?send=', { to: 'Bo', until: '2999-12-31' }, ['Bo', '2999-12-31']],
  'a change of the quantity': [
    '/items/1/quantity?send=',
    { amount: '3', reason: 'for the fair', button: 'add' },
    ['3', 'for the fair'],
  ],
  'a move of ticked items': [
    '/items/select',
    { row_0: '1', location: 'Roof', button: 'move' },
    ['1" checked>', 'Roof'],
  ],
} as const;

for (const [name, [path, typed, values]] of Object.entries(OTHER_FORMS))
  test(`${name} without a session is filled in after the log-in, and not carried out`, async (t) => {
    const application = await createTestApplication(t);
    await (await createMember(application)).post('/items', { name: 'Drill' });
    const visitor = createVisitor(application);
    const refused = await visitor.post(path, typed);
    assert.equal(refused.status, 401);
    const answer = await visitor.post('/login', { ...logInFields(bodyText(refused)), ...ADA });
    const page = bodyText(await visitor.follow(answer));
    for (const value of values) assert.ok(page.includes(`value="${value}`), value);
    assert.equal((await application.models.items.find(1))?.version, 1);
  });
