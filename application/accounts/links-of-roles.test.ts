/** No page shows a link or a form to a person whom it would refuse. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Response } from 'seeother';
import { createVisitor, type Visitor } from 'seeother/testing';
import { pathOf } from '../security/probe.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
  INVITED,
  setRole,
} from '../testing/create-test-application.ts';
import { ENGINE } from '../testing/create-test-database.ts';
import { uploadFile } from '../testing/upload-file.ts';

const skip = ENGINE === 'postgres' && 'the pages are the same on both engines';

/** The forms that change nothing but the session or the account of the person. */
const OWN = /^\/(?:account|draft|login|logout|mail|password|register)(?:[/?]|$)/;

/** Items in all states, with a history, an import, people and an invitation. */
async function openSite(t: TestContext) {
  const application = await createTestApplication(t);
  const ada = await createMember(application);
  const people = {
    administrator: ada,
    member: await createMember(application, 'mem'),
    reader: await createMember(application, 'rea'),
    visitor: createVisitor(application),
  };
  await setRole(application, 'rea', 'reader');
  const done = async (answer: Promise<Response>) => assert.equal((await answer).status, 303);
  for (let count = 1; count < 25; count++) {
    const item = { location: 'Cellar / Shelf', tags: 'tools', minimum: '2' };
    await done(ada.submit('/items/new', { ...item, name: `Drill ${count}` }));
  }
  await done(ada.submit('/items/2/edit', { name: 'Saw' }));
  await done(ada.submit('/items/3/quantity', { amount: '1', button: 'add' }));
  await done(ada.submit('/items/4/lend', { to: 'Bo', until: '' }));
  await done(ada.post('/items/5/delete', { _once: 'k5' }));
  await done(ada.submit('/items/1/files', { files: [new File(['%PDF'], 'manual.pdf')] }));
  await done(ada.submit('/items/rename?what=tag&name=tools', { to: 'things' }));
  for (const one of [people.administrator, people.member]) {
    const file = new File(['name\nRope\n'], 'a.csv', { type: 'text/csv' });
    await done(uploadFile(one, '/items/import', file));
  }
  await done(ada.submit('/people', INVITED));
  return { application, people };
}

interface Step {
  readonly path: string;
  /** The page with the link. */
  readonly from: string;
}

/** Follows every link, from every page that an address of the application leads to. */
async function walk(visitor: Visitor, starts: readonly string[]) {
  const seen = new Set<string>();
  const refused: string[] = [];
  const forms = new Set<string>();
  const left: Step[] = starts.map((path) => ({ path, from: '' }));
  for (let step = left.pop(); step !== undefined; step = left.pop()) {
    const { path, from } = step;
    // Filters of the list can be combined without end: one address for each set of names in the query.
    // All items from the sixth on are alike.
    const pattern = path
      .replaceAll(/=[^&]*/g, '')
      .replace(/(?<=^\/items\/)(?:[6-9]|\d{2,})\b/, 'N');
    const kind = `${from === ''} ${pattern}`;
    if (seen.has(kind)) continue;
    seen.add(kind);
    const answer = await visitor.get(path);
    const location = headerOf(answer, 'Location') ?? '';
    const isRefused = answer.status === 403 || location.startsWith('/login');
    if (isRefused && from !== '') refused.push(`${from} has ${path}: ${answer.status} ${location}`);
    // An address that somebody has typed may lead to the log-in; its page has links too.
    if (location !== '') left.push({ path: location, from: isRefused ? '' : from });
    if (typeof answer.body !== 'string') continue;
    for (const [, href = ''] of answer.body.matchAll(/<a [^>]*href="(\/[^"#]*)"/g))
      left.push({ path: href.replaceAll('&amp;', '&'), from: path });
    for (const [form = '', target = ''] of answer.body.matchAll(/<form[^>]* action="([^"]*)"/g))
      if (/method="post"/.test(form))
        forms.add(target.startsWith('?') ? path : target.replaceAll('&amp;', '&'));
  }
  return { pages: seen.size, refused, forms };
}

test('no page has a link that refuses the visitor, reader, member or administrator who sees it', {
  skip,
}, async (t) => {
  const { application, people } = await openSite(t);
  const starts = [
    ...application.routes
      .filter(({ method }) => method === 'GET')
      .map(({ pattern }) => pathOf(pattern)),
    ...['2', '3', '4', '5', '99'].map((number) => `/items/${number}`),
    ...['?q=nothing', '?q=99', '?page=2', '?show=low', '?location=Cellar&tag=things'].map(
      (query) => `/items${query}`,
    ),
    '/nothing',
  ];
  for (const [role, visitor] of Object.entries(people)) {
    const { pages, refused, forms } = await walk(visitor, starts);
    assert.deepEqual(refused, [], role);
    assert.ok(pages > 50, `${role}: ${pages} pages`);
    if (role === 'reader' || role === 'visitor') {
      const others = [...forms].filter((target) => !OWN.test(target));
      assert.deepEqual(others, [], role);
    }
  }
});

test('nobody sees a link to the form for an item before there is an account', async (t) => {
  const visitor = createVisitor(await createTestApplication(t));
  const { refused } = await walk(visitor, ['/', '/items', '/items/1', '/items?q=x', '/register']);
  assert.deepEqual(refused, []);
});
