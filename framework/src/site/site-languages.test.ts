import assert from 'node:assert/strict';
import test from 'node:test';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { readForm } from '../form/read-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { HttpError } from '../http/http-error.ts';
import { page, seeOther, text, withSession } from '../http/response.ts';
import { english } from '../language/english.ts';
import { german } from '../language/german.ts';
import { createLanguage } from '../language/language.ts';
import { answerNotModified } from '../middleware/answer-not-modified.ts';
import { startSession } from '../session/session-change.ts';
import { get, post } from '../testing/make-request.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { createSite } from './create-site.ts';
import { formPage } from './form-page.ts';
import { createMemoryStores } from './stores.ts';

const texts = { Name: 'Vorname', 'There is no such guest.': 'Diesen Gast gibt es nicht.' };
const ours = createLanguage({ ...german, texts });
const arabic = createLanguage({ ...english, code: 'ar' });
const guestForm = defineForm({ name: textField({ label: 'Name', maxLength: 99 }) });
const inLanguage = (code: string) => ({ headers: { 'accept-language': code } });

function createGuests() {
  const quiet = { log: false, errors: { report: () => {} } } as const;
  return createSite(createMemoryStores(), { ...quiet, languages: [english, ours, arabic] })
    .get(
      '/',
      answerNotModified(() => 'v1'),
      ({ language }) => page(html`${language.formatNumber(1234.5)}`),
    )
    .get('/gone', () => {
      throw new HttpError(404, 'There is no such guest.');
    })
    .post('/', readForm(guestForm), () => {
      throw new Error('secret');
    });
}

test('an error page is in the language of the browser, and varies by it', async () => {
  const answer = await createGuests().handle(post('/', { name: 'Ada' }, inLanguage('de-AT')));
  assert.equal(answer.headers['Vary'], 'Accept-Language');
  const words = [
    '<html lang="de" dir="ltr">',
    '<h1>Bei uns ist ein Fehler aufgetreten</h1>',
    'Wir konnten diese Seite nicht laden. Es liegt nicht an Ihnen.',
    'Was Sie gesendet haben, wurde vielleicht nicht gespeichert.',
    'Versuchen Sie es in einer Minute noch einmal.',
    '<h2>Ihre Eingaben</h2>',
    '<dt>Vorname</dt>',
    'Fehlernummer:',
  ];
  for (const word of words) assert.ok(bodyText(answer).includes(word), word);
});

test('a refusal of the application is looked up in its texts, and one of the framework has its own', async () => {
  const site = createGuests();
  const textOf = async (target: string, code: string) =>
    bodyText(await site.handle(get(target, inLanguage(code))));
  assert.match(await textOf('/gone', 'de'), /Diesen Gast gibt es nicht\./);
  assert.match(await textOf('/gone', 'en'), /There is no such guest\./);
  assert.match(await textOf('/%zz', 'de'), /Die Adresse enthält eine Prozentkodierung/);
  assert.equal(
    await textOf('/none', 'de'),
    'Nicht gefunden: Unter dieser Adresse gibt es nichts.\n',
  );
});

test('an error page of a language that is written from right to left says so', async () => {
  const answer = await createGuests().handle(get('/gone', inLanguage('ar')));
  assert.match(bodyText(answer), /<html lang="ar" dir="rtl">/);
});

test('the log has errors in English', async () => {
  const messages: string[] = [];
  const errors = { report: ({ message }: { readonly message: string }) => messages.push(message) };
  const site = createSite(createMemoryStores(), { log: false, errors, languages: [german] });
  await site.handle(get('/%zz'));
  assert.deepEqual(messages, ['The address contains a percent escape that is not UTF-8.']);
});

test('a cached page is not served in another language', async () => {
  const site = createGuests();
  const [english, german] = await Promise.all(
    ['en', 'de'].map((code) => site.handle(get('/', inLanguage(code)))),
  );
  assert.deepEqual(
    [english, german].map((one) => one && bodyText(one)),
    ['1,234.5', '1.234,5'],
  );
  assert.equal(english?.headers['Vary'], 'Cookie, Accept-Language');
  const ask = (code: string) =>
    site.handle(
      get('/', {
        headers: { 'accept-language': code, 'if-none-match': String(english?.headers['ETag']) },
      }),
    );
  const same = await ask('en');
  assert.deepEqual([same.status, same.headers['Vary']], [304, 'Cookie, Accept-Language']);
  assert.equal(bodyText(await ask('de')), '1.234,5');
});

test('a site without languages is in English, and has no language in the type of its context', async () => {
  const site = createSite(createMemoryStores(), { log: false, errors: { report: () => {} } });
  // @ts-expect-error there is no language
  site.get('/', ({ language }) => text(String(language)));
  const answer = await site.handle(get('/%zz', inLanguage('de')));
  assert.match(bodyText(answer), /<html lang="en" dir="ltr">[\s\S]*The address contains/);
  assert.equal(answer.headers['Vary'], undefined);
});

test('the message after a form, and the label of its action, are looked up in the texts of the site', async () => {
  const told = { 'The guest was added.': 'Der Gast steht auf der Liste.', Undo: 'Rückgängig' };
  const language = createLanguage({ ...german, texts: told });
  const site = createSite(createMemoryStores(), { languages: [english, language], log: false })
    .get('/', ({ flash, flashAction }) => page(html`${flash} ${flashAction?.label}`))
    .post('/log-in', () =>
      withSession(seeOther(localPath('/')), startSession({ id: 1, name: 'Ada' })),
    );
  formPage(site, '/guests', guestForm, {
    button: 'Add',
    show: ({ formHtml }) => formHtml,
    send: () => ({
      path: localPath('/'),
      message: 'The guest was added.',
      action: { label: 'Undo', path: localPath('/undo') },
    }),
  });
  const visitor = createVisitor(site, inLanguage('de'));
  const add = async () => visitor.follow(await visitor.submit('/guests', { name: 'Ada' }));
  assert.match(bodyText(await add()), /^Der Gast steht auf der Liste\./);
  await visitor.post('/log-in');
  assert.equal(bodyText(await add()), 'Der Gast steht auf der Liste. Rückgängig');
});
