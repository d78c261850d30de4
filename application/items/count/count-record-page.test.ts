/** The records of counts, through the real router. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { bodyText, createVisitor, hiddenFields, type Visitor } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  headerOf,
} from '../../testing/create-test-application.ts';
import { formIn } from '../../testing/form-in.ts';
import { addItem, openTestDatabase, repeatOnEngines } from '../../testing/open-test-database.ts';

const THING = { description: '', quantity: 10, location: 'Workshop', tags: [] };
const WORKSHOP = '/items/count?location=Workshop';

async function openShelf(t: TestContext) {
  const database = await openTestDatabase(t);
  const application = await createTestApplication(t, { database });
  for (const name of ['Drill', '=Saw', 'Screw']) await addItem(database, { ...THING, name });
  const ada = await createMember(application);
  const read = async (path: string) => bodyText(await ada.get(path));
  return { application, ada, read };
}

function actionOf(form: string): string {
  return (/action="([^"]*)"/.exec(form)?.[1] ?? '').replaceAll('&amp;', '&');
}

/** Resolves to what sends the form of a page to count, with the quantities of Drill, =Saw and Screw. */
async function openForm(visitor: Visitor, path = WORKSHOP) {
  const form = formIn(bodyText(await visitor.get(path)), '/items/count');
  const rows = [...form.matchAll(/name="items\.(\d)\.name" value="([^"]*)"/g)];
  return (drill: string, saw: string, screw: string) => {
    const counted = rows.map(([, at, name]) => {
      const text = name === 'Drill' ? drill : name === 'Screw' ? screw : saw;
      return [`items.${at}.counted`, text];
    });
    return visitor.post(actionOf(form), { ...hiddenFields(form), ...Object.fromEntries(counted) });
  };
}

repeatOnEngines('a count is recorded once, also if nothing is corrected', async (t) => {
  const { ada, read } = await openShelf(t);
  const send = await openForm(ada);
  const answers = await Promise.all([1, 2, 3].map(() => send('9', '', '12')));
  const [path] = new Set(answers.map((answer) => headerOf(answer, 'Location')));
  const differences = await read(path ?? '');
  const counts = await read('/items/counts');
  assert.match(counts, /<strong>ada<\/strong> counted <a href="\/items\/counts\/1">Workshop<\/a>/);
  assert.match(counts, /3 items, 1 missing, 1 more than stored, 1 not counted</);
  assert.doesNotMatch(counts, /counts\/2"/);
  // Who looks back, or goes on counting, changes the same count.
  await send('8', '', '12');
  const again = /<a href="([^"]*)">Go on counting/.exec(differences)?.[1] ?? assert.fail();
  await (await openForm(ada, again.replaceAll('&amp;', '&')))('8', '10', '10');
  assert.doesNotMatch(await read('/items/counts'), /counts\/2"/);
  const record = await read('/items/counts/1');
  assert.match(record, /<h1>Count of Workshop<\/h1>[\s\S]*3 items, <strong>1 missing</);
  assert.match(
    record,
    /What differs[\s\S]*Drill<\/a><\/th>\n<td[^>]*>10<\/td>\n<td[^>]*>8 <[^>]*>\(−2\)/,
  );
  // A new form is a new count.
  await (await openForm(ada))('10', '10', '10');
  assert.match(await read('/items/counts/2'), /3 items, <strong>all as stored</);
});

repeatOnEngines('a record says what was corrected, and what of it was undone', async (t) => {
  const { ada, read } = await openShelf(t);
  const sent = await (await openForm(ada))('9', '10', '12');
  const form = formIn(bodyText(await ada.follow(sent)), '/items/count/differences');
  const fields = { ...hiddenFields(form), 'items.1.choice': 'stored' };
  const stored = await ada.follow(await ada.post(actionOf(form), fields));
  const corrected = /Drill<\/a>[\s\S]*?batches\/1">yes<[\s\S]*Screw<\/a>[\s\S]*?<td>no<\/td>/;
  assert.match(await read('/items/counts/1'), corrected);
  const file = bodyText(await ada.get('/items/counts/1/count.csv'));
  const lines = ['number,name,stored,found,corrected', '1,Drill,10,9,yes', "2,'=Saw,10,10,"];
  assert.equal(file, `\u{feff}${lines.join('\r\n')}\r\n3,Screw,10,12,\r\n`);
  const undo = formIn(bodyText(stored), '/undo');
  await ada.post(actionOf(undo), hiddenFields(undo));
  assert.match(await read('/items/counts/1'), /Drill<\/a>[\s\S]*?batches\/1">undone</);
});

test('a place says when it was last counted, to those who see the history', async (t) => {
  const { application, ada, read } = await openShelf(t);
  const places = ['/items?location=workshop', '/places', '/places/1', WORKSHOP];
  for (const path of places) assert.doesNotMatch(await read(path), /Last counted/, path);
  await (await openForm(ada))('9', '10', '10');
  const last =
    /<a href="\/items\/counts\/1">Last counted <time[^>]*>[^<]*<\/time><\/a> by ada: 1 missing\./;
  for (const path of places) assert.match(await read(path), last, path);
  assert.doesNotMatch(await read('/items?location=workshop&q=saw'), /Last counted/);
  const visitor = createVisitor(application);
  for (const path of places.slice(0, 3))
    assert.doesNotMatch(bodyText(await visitor.get(path)), /Last counted/, path);
  for (const path of ['/items/counts', '/items/counts/1', '/items/counts/1/count.csv'])
    assert.match(headerOf(await visitor.get(path), 'Location') ?? '', /^\/login/, path);
  assert.equal((await ada.get('/items/counts/2')).status, 404);
});
