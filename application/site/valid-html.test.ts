/** The page of every route is valid HTML; valid-html.release.test.ts has every person, and every kind of change. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember } from '../testing/create-test-application.ts';
import { checkPages, findErrors, openAll, sendAll } from './check-pages.fixture.ts';

test('html-validate finds no error on the page of any route, and on no refused form', async (t) => {
  const { open, statuses, errors } = checkPages();
  const application = await open(t);
  const ada = await createMember(application);
  await ada.post('/items', { name: 'Drill', location: 'Cellar', tags: 'tools', quantity: '3' });
  await openAll(application, ada);
  await sendAll(application, ada);
  assert.deepEqual(errors, []);
  for (const status of [200, 400, 404]) assert.ok(statuses.has(status), `${status}`);
});

test('the check finds an error that is put into a page', async () => {
  const page = '<!doctype html><html lang="en"><head><title>A</title></head><body>%</body></html>';
  assert.deepEqual(await findErrors(page.replace('%', '<p>Text</p>')), []);
  for (const wrong of [
    '<p><div></div></p>',
    '<ul><p>Text</p></ul>',
    '<label for="away">Name</label>',
    '<i id="a"></i><i id="a"></i>',
    '<a href="/"><button>Go</button></a>',
  ]) {
    assert.notDeepEqual(await findErrors(page.replace('%', wrong)), [], wrong);
  }
});
