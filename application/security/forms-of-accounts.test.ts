/** Row E18 of docs/hostile.md: every form of the application, sent from the session of another account. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, hiddenFields, type TypedFields, type Visitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
  PASSWORD,
} from '../testing/create-test-application.ts';
import { formIn } from '../testing/form-in.ts';
import { uploadFile } from '../testing/upload-file.ts';
import { crawl, dumpDatabase } from './probe.ts';

/** It ends the session of whoever is logged in, and says so. */
const LOG_OUT = '/logout';

interface SentForm {
  readonly action: string;
  readonly fields: TypedFields;
  readonly hasFile: boolean;
}

/** The forms of all pages that the user can reach, one for each address. */
async function findForms(visitor: Visitor, starts: readonly string[]) {
  const forms = new Map<string, SentForm>();
  for (const path of await crawl(visitor, starts)) {
    const { body } = await visitor.get(path);
    if (typeof body !== 'string') continue;
    for (const [markup, attributes = ''] of body.matchAll(/<form([^>]*)>[\s\S]*?<\/form>/g)) {
      if (!attributes.includes('method="post"')) continue;
      const target = / action="([^"]*)"/.exec(attributes)?.[1]?.replaceAll('&amp;', '&') ?? path;
      const action = target.startsWith('?') ? path.replace(/\?.*/, '') + target : target;
      const hasFile = attributes.includes('multipart');
      forms.set(action.replace(/\?.*/, ''), { action, fields: hiddenFields(markup), hasFile });
    }
  }
  return forms;
}

test('E18: each form of another account is refused or shown again, and changes nothing', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const bo = await createMember(application, 'bo');
  await ada.submit('/people/2', { role: 'administrator' });
  await createMember(application, 'cy');
  for (let count = 0; count < 3; count++)
    await ada.post('/items', { name: `Drill ${count}`, location: 'Cellar', tags: 'tool' });
  await ada.post('/items/1/lend', { to: 'Cy' });
  await ada.submit('/items/2/edit', { name: 'Saw', quantity: '1' });
  await ada.post('/items/3/delete');
  await ada.submit('/places/1/edit', { name: 'Attic' });
  await ada.submit('/places/new', { places: 'Shelf' });
  await ada.post('/people/invitations', { name: 'Di', role: 'member' });
  const csv = new File(['name\nAxe\n'], 'things.csv', { type: 'text/csv' });
  const planned = headerOf(await uploadFile(ada, '/items/import', csv), 'Location') ?? '';
  const forms = await findForms(ada, [
    '/items',
    '/items/new',
    '/places',
    '/account',
    '/people/3',
    planned,
  ]);
  forms.delete(LOG_OUT);
  const found = [...forms.keys()].toSorted();
  assert.ok(found.length >= 20, found.join(' '));
  const before = await dumpDatabase(application.database.url);
  for (const [path, { action, fields, hasFile }] of forms) {
    assert.ok('_once' in fields, `${path} has no key`);
    const answer = hasFile
      ? await uploadFile(bo, action, csv, fields)
      : await bo.post(action, fields);
    const text = bodyText(answer);
    // Only its author sees the pages of an import, on which these two are shown again.
    const isHidden = /^\/items\/imports\/1\/(?:columns|run)$/.test(path);
    assert.equal(answer.status, isHidden ? 404 : 409, path);
    if (!isHidden) assert.match(text, /you are logged in as bo now/, path);
    const parked = { seeother_files: [], sessions: [] };
    const after = await dumpDatabase(application.database.url);
    assert.deepEqual({ ...after, ...parked }, { ...before, ...parked }, path);
  }
});

test('E18: a button of another account is pressed by the page that says so, once', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const bo = await createMember(application, 'bo');
  await ada.post('/items', { name: 'Drill' });
  const pressed = hiddenFields(formIn(bodyText(await ada.get('/items/1')), '/delete'));
  const asked = await bo.post('/items/1/delete', pressed);
  assert.equal(asked.status, 409);
  const again = hiddenFields(formIn(bodyText(asked), '/items/1/delete'));
  for (let count = 0; count < 2; count++)
    assert.equal((await bo.post('/items/1/delete', again)).status, 303);
  const { events } = await application.models.history.ofItem(1, 9);
  assert.deepEqual(events.map(({ kind, by }) => `${kind} by ${by}`).slice(0, 1), ['deleted by bo']);
});

test('E18: the draft of one account, restored for another, is asked about before it is saved', async (t) => {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  await createMember(application, 'bo');
  const opened = hiddenFields(formIn(bodyText(await ada.get('/items/new')), '/items'));
  await ada.post('/logout');
  const refused = await ada.post('/items', { ...opened, name: 'Drill' });
  const logIn = hiddenFields(formIn(bodyText(refused), '/login'));
  const loggedIn = await ada.post('/login', { ...logIn, username: 'bo', password: PASSWORD });
  const restored = bodyText(await ada.follow(loggedIn));
  assert.match(restored, /value="Drill"/);
  const sent = { ...hiddenFields(formIn(restored, '/items')), name: 'Drill' };
  const asked = await ada.post('/items', sent);
  assert.equal(asked.status, 409);
  const again = { ...hiddenFields(formIn(bodyText(asked), '/items')), name: 'Drill' };
  assert.equal((await ada.post('/items', again)).status, 303);
  assert.equal(await application.models.items.lastNumber(), 1);
  // The draft is over.
  assert.doesNotMatch(bodyText(await ada.get('/items/new')), /value="Drill"/);
});
