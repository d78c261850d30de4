import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Response } from 'seeother';
import { bodyText, encodeFields, type RequestInit, type TypedFields } from 'seeother/testing';
import type { Environment } from '../settings/config.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../testing/create-test-application.ts';

const DRILL = {
  name: 'Drill',
  description: 'First line\nSecond <line>',
  quantity: '2',
  location: 'Workshop',
  tags: 'tools, lent out',
};

/** Sends the body to the form of an item, and makes sure that nothing was stored. */
async function refuse(
  t: TestContext,
  body: TypedFields | string | Uint8Array,
  { environment = {}, ...init }: RequestInit & { readonly environment?: Environment } = {},
): Promise<Response> {
  const application = await createTestApplication(t, { environment });
  const member = await createMember(application);
  const answer = await member.post('/items', body, init);
  assert.equal((await application.models.items.list(1)).itemCount, 0);
  assert.equal(headerOf(answer, 'Content-Type'), 'text/html; charset=utf-8');
  return answer;
}

/** The form again, with this error on this field. */
function assertShownAgain(answer: Response, field: string, message: string): string {
  const markup = bodyText(answer);
  assert.equal(answer.status, 400);
  assert.match(markup, /<title>Error: Add an item/);
  assert.ok(markup.includes(`<li><a href="#${field}">${message}</a></li>`), markup);
  assert.match(markup, new RegExp(`id="${field}"[^>]* aria-invalid="true"`));
  assert.match(markup, new RegExp(`id="${field}"[^>]* aria-describedby="[^"]*\\b${field}-error"`));
  return markup;
}

/** Everything that was typed stands in the form again. */
function assertGivenBack(markup: string, typed: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(typed)) {
    const shown = text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const control =
      name === 'description'
        ? new RegExp(`<textarea id="${name}"[^>]*>\n([^<]*)</textarea>`)
        : new RegExp(`<input type="text" id="${name}" name="${name}" value="([^"]*)"`);
    assert.equal(control.exec(markup)?.[1], shown, name);
  }
}

test('a form without a required field is shown again with everything else that was typed', async (t) => {
  const { name: _missing, ...rest } = DRILL;
  const markup = assertShownAgain(await refuse(t, rest), 'name', 'Enter a name');
  assertGivenBack(markup, { ...rest, name: '' });
});

test('a required field with white space only is missing', async (t) => {
  const answer = await refuse(t, { ...DRILL, name: ' \u00a0\t' });
  assertShownAgain(answer, 'name', 'Enter a name');
});

test('text that is too long comes back whole', async (t) => {
  const name = 'x'.repeat(5_000);
  const markup = assertShownAgain(
    await refuse(t, { ...DRILL, name }),
    'name',
    'Name must be 120 characters or less',
  );
  assertGivenBack(markup, { ...DRILL, name });
});

test('an invalid number is returned as typed', async (t) => {
  for (const quantity of ['many', '1.5', '1e3', '0x10', 'NaN', '１', '1 2']) {
    const markup = assertShownAgain(
      await refuse(t, { ...DRILL, quantity }),
      'quantity',
      'Quantity must be a whole number, like 3',
    );
    assertGivenBack(markup, { ...DRILL, quantity });
  }
});

test('a repeated field is an error on that field', async (t) => {
  const answer = await refuse(t, { ...DRILL, name: ['Drill', 'Other'] });
  const markup = assertShownAgain(answer, 'name', 'Name was sent twice; send it once');
  assertGivenBack(markup, DRILL);
});

test('a form with several errors names each of them', async (t) => {
  const answer = await refuse(t, { name: '', quantity: 'many', location: 'x'.repeat(121) });
  assertShownAgain(answer, 'name', 'Enter a name');
  assertShownAgain(answer, 'quantity', 'Quantity must be a whole number, like 3');
  assertShownAgain(answer, 'location', 'Location must be 120 characters or less');
});

test('bytes that are not UTF-8 are an error on their field, and the rest comes back', async (t) => {
  for (const bytes of ['%ff', '%c0%80', '%ed%a0%80', 'Dr%e4hte']) {
    const { name: _name, ...rest } = DRILL;
    const answer = await refuse(t, `name=${bytes}&${encodeFields(rest)}`);
    const message = 'Name has characters that could not be read; type it again';
    assertGivenBack(assertShownAgain(answer, 'name', message), rest);
  }
});

test('a NUL character is an error on its field', async (t) => {
  const answer = await refuse(t, { ...DRILL, description: 'a\0b' });
  const markup = assertShownAgain(
    answer,
    'description',
    'Description must not contain a NUL character',
  );
  assert.doesNotMatch(markup, /\0/);
});

test('an empty body is a form with nothing filled in', async (t) => {
  assertShownAgain(await refuse(t, ''), 'name', 'Enter a name');
});

test('typed text is escaped in the form that returns it', async (t) => {
  const nasty = `"'></textarea></form><script>alert(1)</script>`;
  const fields = { name: nasty, description: nasty, quantity: nasty, location: nasty, tags: nasty };
  const markup = bodyText(await refuse(t, { ...fields, _once: nasty }));
  assert.doesNotMatch(markup, /<script/);
  assert.equal(markup.split('</textarea>').length, 2);
});

test('undeclared fields are ignored and never stored', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const foreign = { isAdmin: '1', number: '99', created_by: '7', version: '5', NAME: 'Other' };
  const answer = await member.post('/items', { ...DRILL, ...foreign });
  assert.equal(headerOf(answer, 'Location'), '/items/1');
  const item = await application.models.items.find(1);
  assert.equal(item?.name, 'Drill');
  assert.equal(item?.createdBy, 'ada');
  assert.equal(item?.version, 1);
});

test('a value in the query does not count as one in the form', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const answer = await member.post('/items?name=Drill', { quantity: '1' });
  assertShownAgain(answer, 'name', 'Enter a name');
});

test('names of object properties are ignored like other undeclared fields', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const names = ['__proto__', 'constructor', 'prototype', 'name[__proto__][polluted]', 'toString'];
  const body = names.map((name) => `${encodeURIComponent(name)}=polluted`).join('&');
  const answer = await member.post('/items', `${body}&${encodeFields(DRILL)}`);
  assert.equal(answer.status, 303);
  assert.equal((await application.models.items.find(1))?.name, 'Drill');
  assert.equal(Reflect.get({}, 'polluted'), undefined);
  assert.equal(`${{}}`, '[object Object]');
});

test('a body that is not a form is a 415 page', async (t) => {
  const types = [
    'text/plain',
    'application/json',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded; charset=utf-16',
    'application/x-www-form-urlencoded, text/plain',
    'application/x-www-form-urlencodedx',
    '',
  ];
  for (const type of types) {
    const answer = await refuse(t, DRILL, { headers: { 'content-type': type } });
    assert.equal(answer.status, 415, type);
    assert.match(bodyText(answer), /Nothing was saved or changed\./, type);
    assert.match(bodyText(answer), /Use the form on the page/, type);
  }
});

test('the content type of a form is read as the standard says', async (t) => {
  const member = await createMember(await createTestApplication(t));
  const types = [
    'APPLICATION/X-WWW-FORM-URLENCODED',
    'application/x-www-form-urlencoded; charset=UTF-8',
    'application/x-www-form-urlencoded;charset="utf-8"',
  ];
  for (const type of types) {
    const answer = await member.post('/items', DRILL, { headers: { 'content-type': type } });
    assert.equal(answer.status, 303, type);
  }
});

test('a form that is too large is a 413 page, with or without a declared length', async (t) => {
  const body = encodeFields({ ...DRILL, description: 'x'.repeat(4_000) });
  const environment = { BODY_LIMIT: '2048' };
  for (const headers of [{}, { 'content-length': undefined }]) {
    const answer = await refuse(t, body, { environment, headers });
    assert.equal(answer.status, 413);
    assert.match(bodyText(answer), /larger than the 2,048 bytes/);
    assert.match(bodyText(answer), /Nothing was saved or changed\./);
  }
});

test('a form with too many fields is a 400 page', async (t) => {
  const answer = await refuse(t, `${'a=&'.repeat(201)}name=Drill`);
  assert.equal(answer.status, 400);
  assert.match(bodyText(answer), /more than 200 fields/);
});
