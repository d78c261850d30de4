import assert from 'node:assert/strict';
import test from 'node:test';
import { textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { type Response, seeOther, withSession } from '../http/response.ts';
import { endSession, startSession } from '../session/session-change.ts';
import { createSite } from '../site/create-site.ts';
import { createMemoryStores } from '../site/stores.ts';
import {
  bodyText,
  createVisitor,
  hiddenFields,
  toFormData,
  type Visitor,
} from '../testing/visitor.ts';
import { fileField } from '../upload/file-field.ts';
import { stepPages } from './step-pages.ts';
import { steps } from './steps.ts';

const DAY = 86_400_000;

const order = steps()
  .step(
    'papers',
    defineForm({
      invoice: fileField({ label: 'Invoice', required: 'Choose an invoice', maxSize: 99 }),
      photo: fileField({ label: 'Photo', maxSize: 99 }),
    }),
    { title: 'Papers' },
  )
  .step(
    'note',
    defineForm({ note: textField({ label: 'Note', required: 'Write', maxLength: 9 }) }),
    {
      title: 'Note',
    },
  );

function openClaims() {
  const stores = createMemoryStores();
  const kept: string[] = [];
  const base = createSite(stores, { log: false, errors: { report: () => {} } })
    .post('/login/:name', ({ params: { name } }) =>
      withSession(seeOther(localPath('/')), startSession({ id: name, name })),
    )
    .post('/logout', () => withSession(seeOther(localPath('/')), endSession));
  const site = stepPages(base, '/claim', order, {
    button: 'Send',
    show: ({ formHtml }) => html`<main>${formHtml}</main>`,
    async send({ answers: { papers }, transaction }) {
      kept.push(await papers.invoice.keep(transaction));
      return localPath('/');
    },
  });
  const [visitor, stranger] = [createVisitor(site), createVisitor(site)];
  return { visitor, stranger, files: stores.files, kept };
}

const invoice = new File(['12 francs'], 'a.txt', { type: 'text/plain' });
const photo = new File(['pixels'], 'b.png', { type: 'image/png' });

async function shown(visitor: Visitor, path: string): Promise<string> {
  return bodyText(await visitor.follow(await visitor.get(path)));
}

async function readAll({ body }: Response): Promise<string> {
  assert.ok(body !== null && typeof body !== 'string');
  return new TextDecoder().decode(
    Buffer.concat(await Array.fromAsync(body as AsyncIterable<Uint8Array>)),
  );
}

/** Answers both steps; resolves to the addresses of the pages. */
async function answer(visitor: Visitor, paper = invoice) {
  const sent = await visitor.post('/claim', toFormData({ _once: 'page', invoice: paper, photo }));
  const note = String(sent.headers['Location']);
  const check = String((await visitor.submit(note, { note: 'x' })).headers['Location']);
  return { papers: note.replace('note', 'papers'), note, check };
}

test('a file of a step is shown as chosen, and kept when all answers are sent', async () => {
  const { visitor, files, kept } = openClaims();
  const { papers, check } = await answer(visitor);
  const list = await shown(visitor, check);
  assert.match(list, />a\.txt, 9 bytes<\/a><\/dd>[\s\S]*>b\.png, 6 bytes<\/a><\/dd>/);
  const page = await shown(visitor, `${papers}?change`);
  assert.match(page, /a\.txt, 9 bytes/);
  const again = await visitor.post(`${papers}?send&change`, toFormData(hiddenFields(page)));
  assert.equal(again.headers['Location'], check);
  const fields = hiddenFields(await shown(visitor, check));
  for (let count = 0; count < 2; count++)
    assert.equal((await visitor.post(check, fields)).headers['Location'], '/');
  await files.removeExpired();
  assert.equal((await files.find(kept[0] ?? ''))?.name, 'a.txt');
  assert.equal((await files.records.parked()).all.files, 0, 'the photo was not kept');
});

test('the page of all answers links to their files, for whoever may see it', async () => {
  const { visitor, stranger } = openClaims();
  const page = new File(['<script>1</script>'], 'a "b".html', { type: 'text/html' });
  const { check } = await answer(visitor, page);
  const list = await shown(visitor, check);
  const [file = '', picture = ''] = list.match(/(?<=href=")[^"]+\?file=[^"]+/g) ?? [];
  const sent = await visitor.get(file);
  assert.deepEqual(
    ['Content-Type', 'Content-Disposition', 'X-Content-Type-Options', 'Cache-Control'].map(
      (name) => sent.headers[name],
    ),
    [
      'text/html; charset=utf-8',
      `attachment; filename="a _b_.html"; filename*=UTF-8''a%20%22b%22.html`,
      'nosniff',
      'private, no-cache',
    ],
  );
  assert.match(String(sent.headers['Content-Security-Policy']), /^sandbox; default-src 'none'/);
  assert.equal(await readAll(sent), '<script>1</script>');
  assert.match(String((await visitor.get(picture)).headers['Content-Disposition']), /^inline; /);
  assert.equal((await visitor.get(`${file}x`)).status, 404);
  assert.equal((await stranger.get(file)).status, 404);
  await visitor.post('/login/ada');
  assert.equal((await visitor.get(file)).status, 200);
  await stranger.post('/login/bob');
  assert.equal((await stranger.get(file)).status, 404);
  await visitor.post('/logout');
  assert.equal((await visitor.get(file)).status, 401);
});

test('a file of the answers has no link after its end', async () => {
  const { visitor, files } = openClaims();
  const { check } = await answer(visitor);
  const [file = ''] = /(?<=href=")[^"]+\?file=[^"]+/.exec(await shown(visitor, check)) ?? [];
  await files.removeExpired(new Date(Date.now() + 30 * DAY));
  assert.equal((await visitor.get(file)).status, 404);
});

test('a page with the same file sent again is a repeat, while the answers are checked and after they were sent', async () => {
  const { visitor, kept } = openClaims();
  const { papers, check } = await answer(visitor);
  const again = async (path: string, file: File) => {
    const { status, headers } = await visitor.post(
      path,
      toFormData({
        _once: 'page',
        invoice: file,
        photo,
      }),
    );
    return [status, headers['Location']];
  };
  const fields = hiddenFields(await shown(visitor, check));
  // The step after it is answered already, so a change leads to the check page.
  assert.deepEqual(await again(`${papers}?send&change`, invoice), [303, check]);
  assert.equal((await visitor.post(check, fields)).headers['Location'], '/');
  assert.deepEqual(await again(papers, invoice), [303, '/']);
  assert.deepEqual(await again('/claim', invoice), [303, '/']);
  const other = new File(['13 francs'], 'a.txt', { type: 'text/plain' });
  assert.equal((await again(papers, other))[0], 409);
  assert.equal((await visitor.post(check, fields)).headers['Location'], '/');
  assert.equal(kept.length, 1);
});

test('another file makes an open page of all answers one of earlier answers', async () => {
  const { visitor, kept } = openClaims();
  const { papers, check } = await answer(visitor);
  const fields = hiddenFields(await shown(visitor, check));
  const other = new File(['13 francs'], 'a.txt', { type: 'text/plain' });
  await visitor.post(`${papers}?send&change`, toFormData({ invoice: other, photo }));
  assert.equal((await visitor.post(check, fields)).status, 409);
  assert.equal(kept.length, 0);
});

test('the files expire with the answers', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const { visitor, files, kept } = openClaims();
  const { note, check } = await answer(visitor);
  t.mock.timers.tick(6 * DAY);
  await visitor.submit(`${note}?change`, { note: 'y' });
  t.mock.timers.tick(6 * DAY);
  await files.removeExpired();
  await visitor.submit(check, {});
  assert.equal(kept.length, 1);
});

test('a file that is gone is to be chosen again', async () => {
  const { visitor, files, kept } = openClaims();
  const { papers, check } = await answer(visitor);
  const fields = hiddenFields(await shown(visitor, check));
  await files.removeExpired(new Date(Date.now() + 30 * DAY));
  assert.equal((await visitor.post(check, fields)).headers['Location'], `${papers}?change`);
  assert.match(await shown(visitor, check), /Choose the file “a\.txt” again/);
  assert.deepEqual(kept, []);
});
