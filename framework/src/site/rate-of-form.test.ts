import assert from 'node:assert/strict';
import test from 'node:test';
import { passwordField, textField } from '../field/fields.ts';
import { defineForm, type FilledForm } from '../form/define-form.ts';
import { readForm } from '../form/read-form.ts';
import { localPath } from '../http/href.ts';
import { createRequest } from '../http/request.ts';
import { empty, seeOther } from '../http/response.ts';
import { limitRate } from '../middleware/limit-rate.ts';
import { post } from '../testing/make-request.ts';
import { bodyText } from '../testing/visitor.ts';
import { fileField } from '../upload/file-field.ts';
import { createSite } from './create-site.ts';
import { createMemoryStores } from './stores.ts';

const note = textField({ label: 'Note', required: 'Enter a note', maxLength: 100 });
const noteForm = defineForm({ note });
const name = textField({ label: 'Username', required: 'Enter a username', maxLength: 40 });
const password = passwordField({
  ...{ label: 'Password', required: 'Enter a password', minLength: 1, maxLength: 99 },
});
const logInForm = defineForm({ name, password });

type LogIn = { readonly form: FilledForm<typeof logInForm.fields> };

const fileForm = defineForm({
  note,
  file: fileField({ label: 'File', required: 'Choose a file', maxSize: 100 }),
});

const site = createSite(createMemoryStores(), { log: false })
  .post('/notes', limitRate({ maxPerNetwork: 1, within: 60_000 }), readForm(noteForm), () =>
    seeOther(localPath('/notes')),
  )
  .post('/files', limitRate({ maxPerNetwork: 1, within: 60_000 }), readForm(fileForm), () =>
    seeOther(localPath('/files')),
  )
  .post(
    '/login',
    readForm(logInForm),
    limitRate({
      key: ({ form }: LogIn) => form.text.name.toLowerCase(),
      ...{ maxPerKey: 1, within: 60_000, counts: (status) => status === 401 },
    }),
    () => empty(401),
  );

test('a form beyond its rate is given back on the page of the refusal', async () => {
  assert.equal((await site.handle(post('/notes', { note: 'one' }))).status, 303);
  const refused = await site.handle(post('/notes', { note: 'a long <b>story</b>' }));
  assert.equal(refused.status, 429);
  assert.equal(refused.headers['Retry-After'], '60');
  const markup = bodyText(refused);
  assert.match(markup, /You can try again in 60 seconds\./);
  assert.match(markup, /<dt>Note<\/dt>\n<dd>a long &lt;b&gt;story&lt;\/b&gt;<\/dd>/);
});

test('a field of the form counts on all networks, and nothing of a form with a password is given back', async () => {
  const logIn = (name: string, address: string) =>
    site.handle(post('/login', { name, password: 'a-guess' }, { address }));
  assert.equal((await logIn('Ada', '192.0.2.1')).status, 401);
  const refused = await logIn('ada', '192.0.2.2');
  assert.equal(refused.status, 429);
  assert.doesNotMatch(bodyText(refused), /a-guess|What you typed/);
  assert.equal((await logIn('bo', '192.0.2.2')).status, 401);
});

test('of a form with files that a limit refuses, the text comes back', async () => {
  let read = 0;
  async function* body() {
    read++;
    yield Buffer.from(
      '--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n--x--\r\n',
    );
  }
  const send = () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const request = { method: 'POST', target: '/files', headers, body: body() };
    return site.handle(createRequest(request));
  };
  await send();
  assert.equal(read, 1);
  const refused = await send();
  assert.equal(refused.status, 429);
  assert.equal(read, 2);
  assert.match(bodyText(refused), /<dd>hello<\/dd>/);
});
