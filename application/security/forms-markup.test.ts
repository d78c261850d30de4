/** Row C15 of docs/hostile.md: text that looks like markup, on every page that shows it. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import { createMember, createTestApplication } from '../testing/create-test-application.ts';
import { escapeMarkup } from './probe.ts';

/** Each ends another place: an element, an attribute, raw text, an address. */
const PAYLOADS = [
  '<script>alert(1)</script>',
  '" onmouseover="alert(1)',
  "' autofocus onfocus='alert(1)",
  '`><img/src/onerror=alert(1)//',
  '</textarea></title></style><b>',
  '--></script>]]><svg/onload=alert(1)>',
  '&lt;script&gt; %3Cu%3E',
  '&#60;b&#62;',
  '\\"><\\u003cb>',
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html;<script>alert(1)</script>',
  '//evil.example',
];

const HARMLESS = 'harmless';

/** The page with the escaped text replaced by a harmless one, without times, numbers and keys. */
function frameOf(markup: string, payload: string): string {
  return (
    markup
      // Pages quote headers as JSON strings.
      .replaceAll(escapeMarkup(JSON.stringify(payload).slice(1, -1)), HARMLESS)
      .replaceAll(escapeMarkup(payload), HARMLESS)
      .replaceAll(encodeURIComponent(payload).replaceAll("'", '%27'), HARMLESS)
      .replaceAll(escapeMarkup(encodeURIComponent(payload)), HARMLESS)
      .replaceAll(new URLSearchParams({ '': payload }).toString().slice(1), HARMLESS)
      // The key of what was typed, for the other ways to log in.
      .replaceAll(/(?<=_draft(?:=|%3D))[\w-]{22}/g, '')
      // Suggestions are cached for a while, so they may be those of an earlier text.
      .replaceAll(/<option value="[^"<>]*"><\/option>/g, '')
      .replaceAll(/(?<=\/items\/|like=|ticked=|event-|history\/|choose_\w+-)-?\d+/g, '')
      // What the page shows, as a digest.
      .replaceAll(/<span hidden><select name="_page"[\s\S]*?<\/select><\/span>/g, '')
      .replaceAll(/<nav aria-label="Items beside this one">[\s\S]*?<\/nav>\n/g, '')
      .replaceAll(
        /<time [^<]*<\/time>|No\. \d+|(?<=(_once|lent)" value="|Reference: <code>)[\w:.-]+/g,
        '',
      )
  );
}

test('C15: text that looks like markup changes no page more than harmless text does', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const visitor = createVisitor(application);
  /** Every page that repeats submitted text. */
  const pagesWith = async (text: string): Promise<Readonly<Record<string, string>>> => {
    // Some of the texts are too long for a tag, or contain a comma.
    const tags = text.length > 40 || text.includes(',') ? HARMLESS : text;
    const fields = { name: text, description: text, location: text, tags };
    const created = await member.post('/items', fields);
    assert.equal(created.status, 303, text);
    const query = encodeURIComponent(text);
    // A path with a control character is refused.
    const segment = /\p{Cc}/u.test(text) ? HARMLESS : query;
    const item = await member.get(String(created.headers['Location']));
    const list = await member.get('/items');
    const address = String(created.headers['Location']);
    const edit = { ...fields, description: '', version: '1' };
    assert.equal((await member.post(`${address}/edit`, edit)).status, 303);
    await member.post(`${address}/quantity`, { reason: text.length > 200 ? HARMLESS : text });
    const to = text.length > 120 ? HARMLESS : text;
    assert.equal((await member.post(`${address}/lend`, { to })).status, 303);
    const lent = await member.post(`${address}/lend`, { to: text });
    const conflict = await member.post(`${address}/edit`, {
      ...fields,
      name: 'Other',
      version: '1',
    });
    assert.equal(conflict.status, 409);
    const newest = /<tbody>\s*(<tr>[\s\S]*?<\/tr>)/.exec(bodyText(list))?.[1] ?? '';
    const refused = await member.post('/items', { ...fields, quantity: text, _once: 'once' });
    assert.equal(refused.status, 400);
    const carried = await visitor.post('/items', {
      ...fields,
      quantity: text,
      [`x ${text}`]: text,
    });
    assert.equal(carried.status, 401);
    // Always too long, so that the error message is the same.
    const username = text + 'x'.repeat(40);
    const bad = { username, password: text, next: text };
    const foreign = { headers: { 'sec-fetch-site': text } };
    const origin = { headers: { 'sec-fetch-site': undefined, origin: text } };
    const pages = {
      item: bodyText(item),
      list: newest.replace(/\/items\/\d+/, '/items/0'),
      changed: bodyText(await member.get(address)),
      lent: bodyText(lent),
      history: bodyText(await member.get(`${address}/history`)),
      edit: bodyText(await member.get(`${address}/edit`)),
      conflict: bodyText(conflict),
      refused: bodyText(refused),
      carried: bodyText(carried),
      // With a word that is too short for the search, so that the hint about it is the same.
      search: bodyText(
        await visitor.get(
          `/items?q=nowhere+${query}+x&tag=${query}&location=${query}&sort=${query}&page=${query}`,
        ),
      ),
      'log-in': bodyText(await visitor.get(`/login?next=${query}`)),
      registration: bodyText(await visitor.post('/register', { ...bad, password: 'short' })),
      'wrong log-in': bodyText(await visitor.post('/login', { ...bad, password: '' })),
      'foreign site': bodyText(await member.post('/items', fields, foreign)),
      'foreign origin': bodyText(await member.post('/items', fields, origin)),
      'no form': bodyText(await member.post('/items', '', { headers: { 'content-type': text } })),
      'no item': bodyText(await member.get(`/items/${segment}`)),
      // A comma makes the location one inside another.
      ...(text.includes(',') ? {} : { filters: bodyText(await member.get('/items/filters')) }),
    };
    // The next text has no neighbour, and no form suggests this one.
    await member.post(`${address}/delete`);
    return pages;
  };
  const harmless = await pagesWith(HARMLESS);
  for (const payload of PAYLOADS) {
    for (const [name, markup] of Object.entries(await pagesWith(payload))) {
      assert.equal(
        // A tab is a space in a text of one line.
        frameOf(frameOf(markup, payload), payload.replaceAll('\t', ' ')),
        frameOf(harmless[name] ?? '', HARMLESS),
        `${name}: ${payload}`,
      );
      // A form of accounts is sent to its own page.
      assert.doesNotMatch(
        markup,
        /(?:href|src|action)="(?!\/(?!\/)|#|\?send(?:&amp;next=|"))/,
        `${name}: ${payload}`,
      );
    }
    // A log-in takes a password hash, so try it only with texts that could be a URL.
    if (!/^[a-z]+:|^\/\//i.test(payload)) continue;
    const next = { username: 'ada', password: 'correct horse battery', next: payload };
    const place = (await createVisitor(application).post('/login', next)).headers['Location'];
    assert.equal(place, '/items', payload);
  }
});
