/** What is saved of a form while one types, on both engines: two instances, kills, errors, and saves on their way. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { bodyText, createVisitor, hiddenFields, type Visitor } from 'seeother/testing';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { ENGINES } from '../testing/open-test-database.ts';
import { createReports, type Moment } from './serve-reports.program.ts';

const TYPED = { title: 'Fair', amount: '12' };
const openReport = async (visitor: Visitor, init = {}) =>
  bodyText(await visitor.get('/report', init));

async function logIn(site: ReturnType<typeof createReports>, id = 1): Promise<Visitor> {
  const visitor = createVisitor(site);
  await visitor.post(`/login/${id}`);
  return visitor;
}

for (const { engine, name, skip } of ENGINES) {
  const openAll = async (t: TestContext) => {
    const { url, open } = await createBareDatabase(t, engine);
    const database = await open();
    await database.write(({ run }) => run('create table reports (title text not null)'));
    const read = async () =>
      (
        await database.read.run<{ title: string }>('select title from reports order by title')
      ).rows.map(({ title }) => title);
    return { url, open, database, read };
  };

  test(`what is saved on one instance is opened on the other, and the newest wins and says so (${name})`, {
    skip,
  }, async (t) => {
    const { open, database, read } = await openAll(t);
    const sites = [createReports(database), createReports(await open())] as const;
    const [here, there] = [await logIn(sites[0]), await logIn(sites[1])];
    const [one, other] = [await here.get('/report'), await there.get('/report')];
    const german = { headers: { 'accept-language': 'de' } };
    const first = { title: 'Erste', amount: '1.234', _change: 'autosave' };
    const saved = await here.submit(one, first, german);
    assert.match(
      await openReport(there),
      /typed before[\s\S]* value="Erste"[\s\S]* value="1,?234"/,
    );
    assert.doesNotMatch(await openReport(await logIn(sites[1], 2)), /Erste|typed before/);
    const second = await there.submit(other, { title: 'Other', _change: 'autosave' });
    assert.match(bodyText(second), /This replaces what another tab/);
    assert.match(await openReport(here), /value="Other"/);
    // The older one saves again, and then is the newest.
    const third = await here.submit(saved, { title: 'Third', _change: 'autosave' });
    assert.match(bodyText(third), /This replaces what another tab/);
    const shown = await there.get('/report');
    assert.match(bodyText(shown), /value="Third"/);
    assert.equal((await there.submit(shown, { title: 'Third' })).status, 303);
    await here.submit(third, { title: 'Third', _change: 'autosave' });
    assert.doesNotMatch(await openReport(here), /Third|typed before/);
    assert.equal((await here.submit(third, { title: 'Third' })).status, 303);
    assert.deepEqual(await read(), ['Third']);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    await here.submit('/report', { ...TYPED, _change: 'save' });
    t.mock.timers.tick(2 * 86_400_000 - 1000);
    assert.match(await openReport(await logIn(sites[1])), /Fair/);
    t.mock.timers.tick(1000);
    assert.doesNotMatch(await openReport(await logIn(sites[1])), /Fair/);
  });

  test(`a form that fails in its transaction still has its draft, and the text (${name})`, {
    skip,
  }, async (t) => {
    const { database, read } = await openAll(t);
    let fails: Moment | null = null;
    const visitor = await logIn(
      createReports(database, (moment) => {
        if (moment === fails) throw new Error('The disk is on fire.');
      }),
    );
    await visitor.submit('/report', { ...TYPED, _change: 'save' });
    const page = await visitor.get('/report');
    for (const [title, status, moment] of [
      ['throws', 500, null],
      ['changed', 409, null],
      ['stale', 409, null],
      ['Fair', 500, 'before'],
      ['Fair', 500, 'after'],
    ] as const) {
      fails = moment;
      const answer = await visitor.submit(page, { title });
      assert.equal(answer.status, status, title);
      assert.match(
        bodyText(answer),
        new RegExp(`(value="|<dd>)${title}`),
        `${title} is given back`,
      );
      assert.match(await openReport(visitor), /typed before[\s\S]* value="Fair"/, title);
    }
    assert.deepEqual(await read(), []);
    fails = null;
    assert.equal((await visitor.submit(page, TYPED)).status, 303);
    assert.doesNotMatch(await openReport(visitor), /typed before/);
    assert.deepEqual(await read(), ['Fair']);
  });

  test(`a first save that meets the form on another instance does not bring it back (${name})`, {
    skip,
  }, async (t) => {
    const { open, database, read } = await openAll(t);
    let meeting = Promise.withResolvers<void>();
    const site = createReports(database);
    let sending: Promise<unknown> = Promise.resolve();
    const slow = createReports(await open(), async (moment) => {
      if (moment !== 'before') return;
      meeting.resolve();
      // The form waits for the save, or has ended.
      await Promise.race([sending, setTimeout(300)]);
    });
    const [visitor, saving] = [await logIn(site), await logIn(slow)];
    // Both have their tables.
    for (const one of [site, slow])
      await (await logIn(one, 2)).submit('/report', { ...TYPED, _change: 'save' });
    meeting = Promise.withResolvers();
    const page = await visitor.get('/report');
    const fields = { ...hiddenFields(bodyText(page)), ...TYPED };
    const { promise, resolve } = Promise.withResolvers<unknown>();
    sending = promise;
    const saved = saving.post('/report?send', { ...fields, _change: 'autosave' });
    await meeting.promise;
    const sent = visitor.submit(page, TYPED);
    sent.then(resolve, resolve);
    assert.deepEqual([(await saved).status, (await sent).status], [200, 303]);
    assert.doesNotMatch(await openReport(visitor), /typed before|Fair/);
    assert.deepEqual(await read(), ['Fair']);
  });

  test(`whenever a process is killed, there is the draft or the form, and never both (${name})`, {
    skip,
  }, async (t) => {
    const { url, database, read } = await openAll(t);
    const look = async (user: number) => {
      const page = await openReport(await logIn(createReports(database), user));
      return [
        (await read()).includes(`Fair ${user}`) && 'form',
        /typed before/.test(page) && 'draft',
      ].filter(Boolean);
    };
    const kill = async (user: number, end: Moment, left: readonly string[]) => {
      const program = join(import.meta.dirname, 'serve-reports.program.ts');
      const child = spawn(process.execPath, [program, url, end], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      t.after(() => child.kill('SIGKILL'));
      const ended = once(child, 'close');
      const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
      const { origin } = new URL(String(line).trim());
      const post = (path: string, fields: Record<string, unknown>, cookie = '') =>
        fetch(`${origin}${path}`, {
          method: 'POST',
          body: new URLSearchParams(fields as never),
          headers: { cookie },
          redirect: 'manual',
        });
      const [cookie = ''] = (await post(`/login/${user}`, {})).headers.getSetCookie();
      const page = await (await fetch(`${origin}/report`, { headers: { cookie } })).text();
      const fields = { ...hiddenFields(page), ...TYPED, title: `Fair ${user}` };
      await post('/report?send', { ...fields, _change: 'save' }, cookie);
      await assert.rejects(post('/report?send', fields, cookie));
      await ended;
      assert.deepEqual(await look(user), left, end);
    };
    await Promise.all([kill(1, 'after', ['draft']), kill(2, 'answer', ['form'])]);
  });
}
