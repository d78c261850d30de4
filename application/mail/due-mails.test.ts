/** The mails about loans, with a real mail server. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import test from 'node:test';
import { bodyText, createVisitor, type Visitor } from 'seeother/testing';
import type { SMTPServerOptions } from 'smtp-server';
import { lendItem } from '../items/lend/lend-item.ts';
import { createClock } from '../testing/create-clock.ts';
import {
  createMember,
  createTestApplication,
  headerOf,
  type TestApplication,
} from '../testing/create-test-application.ts';
import { type MailServer, openMailServer } from '../testing/open-mail-server.ts';
import {
  addItem,
  openAnother,
  openTestDatabase,
  type TestDatabase,
  testOnEngines,
} from '../testing/open-test-database.ts';
import { findAddress, setAddress } from './due-mails.ts';
import { openMailer } from './mailer.ts';

const ORIGIN = 'https://things.example';
const DRILL = { name: 'Drill', description: '', quantity: 1, location: '', tags: [] };
const EMAIL = 'ada@example.org';
const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR);

/** The day is 20 November 2026. */
async function openSite(t: TestContext, server?: MailServer) {
  const mails = server ?? (await openMailServer(t));
  const database = await openTestDatabase(t);
  const clock = createClock();
  const reports: string[] = [];
  const open = (on: TestDatabase, url = `smtp://127.0.0.1:${mails.port}`) => {
    const mail = { url, from: 'things@example.org', origin: ORIGIN };
    return openMailer(on, mail, ({ message }) => void reports.push(message), clock.now);
  };
  const mailer = await open(database);
  const application = await createTestApplication(t, { database, now: clock.now, mailer });
  return { mails, database, clock, reports, open, mailer, application };
}

type Opened = Awaited<ReturnType<typeof openSite>>;

/** The path of the last link to stop or to begin. */
function linkIn({ mails }: MailServer): string {
  const url = /https:\/\/things\.example(\/mail\?link=[\w-]+)/.exec(mails.at(-1)?.body ?? '');
  return url?.[1] ?? assert.fail('no link in the last mail');
}

/** A member who gets mails. */
async function createReader(
  { application, mailer, mails }: Pick<Opened, 'application' | 'mailer' | 'mails'>,
  username = 'ada',
  email = EMAIL,
): Promise<Visitor> {
  const member = await createMember(application, username);
  assert.equal((await member.submit('/account/mail', { email })).status, 303);
  await mailer.run();
  assert.equal((await createVisitor(application).submit(linkIn(mails), {})).status, 303);
  return member;
}

async function lend(
  { database }: Pick<Opened, 'database'>,
  number: number,
  loan: Parameters<typeof lendItem>[2],
  author: number,
) {
  await database.write((transaction) => lendItem(transaction, number, loan, author));
}

const read = async ({ handle }: Pick<TestApplication, 'handle'>, path: string) =>
  bodyText(await createVisitor({ handle }).get(path));

testOnEngines('a loan becomes due, a mail comes each day, and its link stops them', async (t) => {
  const site = await openSite(t);
  const { application, mailer, mails, clock, database } = site;
  await addItem(database, { ...DRILL, name: 'Drill — größer' });
  const member = await createMember(application);
  const account = async () => bodyText(await member.get('/account'));
  assert.match(await account(), /You get no mails about loans\. <a href="\/account\/mail">/);
  const saved = await member.submit('/account/mail', { email: EMAIL });
  assert.match(bodyText(await member.follow(saved)), /We are sending a mail to ada@example\.org\./);
  await mailer.run();
  assert.equal(mails.mails.length, 1);
  assert.deepEqual(mails.mails[0]?.to, [EMAIL]);
  assert.equal(mails.mails[0]?.from, 'things@example.org');
  assert.match(mails.mails[0]?.headers['from'] ?? '', /^Seeother <things@example\.org>$/);
  assert.match(mails.mails[0]?.headers['subject'] ?? '', /^Turn on mails about loans\?$/);

  await lend(site, 1, { to: 'Bo Larsen', until: '2026-11-20' }, 1);
  const link = linkIn(mails);
  const off = await read(application, link);
  assert.match(off, /<h1>Mails about loans are off<\/h1>/);
  // A full stop or a bracket that was copied with it.
  assert.equal(await read(application, `${link}.`), off);
  assert.equal(await read(application, `${link}%3E`), off);
  await mailer.run();
  assert.equal(mails.mails.length, 1, 'the page of the link alone has turned nothing on');
  assert.match(await account(), /until you open the link in our mail to it/);
  const visitor = createVisitor(application);
  const turned = await visitor.submit(link, {});
  assert.equal(headerOf(turned, 'Location'), link);
  assert.match(bodyText(await visitor.follow(turned)), /<h1>Mails about loans are on<\/h1>/);
  assert.match(await account(), /Mails about loans go to <strong>ada@example\.org<\/strong>/);

  for (let count = 0; count < 2; count++) await mailer.run();
  assert.equal(mails.mails.length, 2);
  const [, mail] = mails.mails;
  assert.equal(mail?.headers['subject'], '1 item is due');
  assert.equal(mail?.headers['list-unsubscribe'], `<${ORIGIN}${link}>`);
  assert.match(mail?.headers['message-id'] ?? '', /^<[-\da-f]{36}@example\.org>$/);
  assert.match(mail?.headers['content-type'] ?? '', /^text\/plain/);
  const lines = mail?.body.split('\n') ?? [];
  for (const line of [
    'Drill — größer (No. 1)',
    'Bo Larsen has it. It is due today.',
    `${ORIGIN}/items/1`,
    `To stop these mails: ${ORIGIN}${link}`,
  ])
    assert.ok(lines.includes(line), line);

  clock.pass(11 * 3600 + 3599);
  await mailer.run();
  assert.equal(mails.mails.length, 2, 'the day has not ended');
  clock.pass(1);
  await mailer.run();
  assert.equal(mails.mails.length, 3);
  assert.match(mails.mails[2]?.body ?? '', /It was due on 20 Nov\./);

  const stopped = await visitor.submit(linkIn(mails), {});
  assert.equal(stopped.status, 303);
  assert.match(bodyText(await visitor.follow(stopped)), /<h1>Mails about loans are off<\/h1>/);
  clock.pass(86_400);
  await mailer.run();
  assert.equal(mails.mails.length, 3);
});

testOnEngines('who has something, and who has lent it out, get the mail', async (t) => {
  const site = await openSite(t);
  const { mailer, mails, database, clock, application } = site;
  for (const name of ['Drill', 'Saw', 'Ladder', 'Rope', 'Cable'])
    await addItem(database, { ...DRILL, name, quantity: 9 });
  const members: Visitor[] = [];
  for (const username of ['ada', 'bo', 'cy', 'di'])
    members.push(await createReader(site, username, `${username}@example.org`));
  await members[1]?.submit('/account/profile', { displayname: 'Bo Larsen' });
  const people = await application.models.people.list();
  const idOf = (name: string) => people.find(({ username }) => username === name)?.id ?? 0;
  await lend(site, 1, { to: 'Bo Larsen', until: '2026-11-19' }, idOf('ada'));
  await lend(site, 2, { to: 'Grace next door', until: '2026-11-20' }, idOf('bo'));
  await lend(site, 3, { to: 'cy', until: '2026-11-21' }, idOf('cy'));
  await lend(site, 4, { to: 'cy', until: null }, idOf('cy'));
  // Of one item, each lender is told of their own loans.
  await lend(site, 5, { to: 'Grace', until: '2026-11-20', quantity: 2 }, idOf('ada'));
  await lend(site, 5, { to: 'Grace', until: '2026-12-31', quantity: 3 }, idOf('bo'));
  const told = async () => {
    const before = mails.mails.length;
    await mailer.run();
    const numbersIn = (body: string) => [...body.matchAll(/\(No\. (\d)\)/g)].map(([, no]) => no);
    const fresh = mails.mails.slice(before);
    return fresh.map(({ to, body }) => [...to, ...numbersIn(body)]).toSorted();
  };
  assert.deepEqual(await told(), [
    ['ada@example.org', '1', '5'],
    ['bo@example.org', '1', '2'],
  ]);
  assert.match(mails.mails.map(({ body }) => body).join(), /Grace has 2 of them\. It is due today/);
  clock.pass(86_400);
  await application.models.accounts.command(['disable', 'bo']);
  assert.equal(await findAddress(database.read, { account_id: idOf('bo') }), null);
  assert.deepEqual(await told(), [
    ['ada@example.org', '1', '5'],
    ['cy@example.org', '3'],
  ]);
});

testOnEngines('M1: two instances make one mail for an account and a day', async (t) => {
  const site = await openSite(t);
  const { mails, database, clock } = site;
  await addItem(database, DRILL);
  await createReader(site);
  await lend(site, 1, { to: 'Bo', until: '2026-11-20' }, 1);
  const others = await Promise.all([1, 2, 3].map(() => openAnother(t, database)));
  const mailers = await Promise.all([database, ...others].map((one) => site.open(one)));
  for (const day of [1, 2]) {
    await Promise.all(mailers.map((mailer) => mailer.run()));
    assert.equal(mails.mails.length, 1 + day);
    clock.pass(86_400);
  }
});

test('M1: an address that is removed and saved again gets no second mail on one day', async (t) => {
  const site = await openSite(t);
  const { mailer, mails } = site;
  await addItem(site.database, DRILL);
  const member = await createReader(site);
  await lend(site, 1, { to: 'ada', until: '2026-11-20' }, 1);
  await mailer.run();
  assert.equal(mails.mails.length, 2);
  await member.submit('/account/mail', { email: '' });
  await createReader(site);
  await mailer.run();
  assert.deepEqual(
    mails.mails.map(({ headers }) => headers['subject']),
    ['Turn on mails about loans?', '1 item is due', 'Turn on mails about loans?'],
  );
});

testOnEngines('M2: a mail whose answer was lost comes again with its Message-ID', async (t) => {
  const site = await openSite(t);
  const { mailer, mails, database, reports } = site;
  await addItem(database, DRILL);
  await createReader(site);
  await lend(site, 1, { to: 'Bo', until: '2026-11-20' }, 1);
  mails.state = 'forgetful';
  await mailer.run();
  mails.state = 'up';
  await mailer.run(inHours(1));
  await mailer.run(inHours(2));
  const [, first, second, ...others] = mails.mails;
  assert.deepEqual(others, []);
  assert.equal(first?.headers['message-id'], second?.headers['message-id']);
  assert.match(reports.join(), /^Attempt 1 of 25 of the job remindOfLoans .* will run again\.$/);
});

test('M2: a mail waits for a server that is away, but not until the next day', async (t) => {
  const site = await openSite(t);
  const { mailer, mails, database, clock, reports } = site;
  await addItem(database, DRILL);
  await createReader(site);
  await lend(site, 1, { to: 'Bo', until: '2026-11-20' }, 1);
  mails.state = 'away';
  await mailer.run();
  await mailer.run(inHours(1));
  assert.equal(reports.length, 2);
  mails.state = 'up';
  await mailer.run(inHours(2));
  assert.equal(mails.mails.length, 2);
  clock.pass(86_400);
  mails.state = 'away';
  await mailer.run();
  clock.pass(86_400);
  mails.state = 'up';
  await mailer.run(inHours(3));
  await mailer.run(inHours(4));
  assert.equal(mails.mails.length, 3, 'that of the day alone');
});

test('a mail tells what is stored when it is sent', async (t) => {
  const site = await openSite(t);
  const { mailer, mails, database } = site;
  await addItem(database, DRILL);
  const member = await createReader(site);
  await lend(site, 1, { to: 'ada', until: '2026-11-20' }, 1);
  mails.state = 'away';
  await mailer.run();
  await member.submit('/items/1/edit', { name: 'Hammer drill' });
  mails.state = 'up';
  await mailer.run(inHours(1));
  assert.match(mails.mails.at(-1)?.body ?? '', /^Hammer drill \(No\. 1\)$/m);
});

test('M3: a name with line breaks adds no header, no recipient and no line', async (t) => {
  const site = await openSite(t);
  const { mailer, mails, database } = site;
  const name = 'Drill\r\nBcc: eve@example.org\r\n\r\nTo stop these mails: https://evil.example';
  await addItem(database, { ...DRILL, name });
  await createReader(site);
  await lend(site, 1, { to: 'Bo\r\n.\r\nMAIL FROM:<eve@example.org>', until: '2026-11-20' }, 1);
  await mailer.run();
  assert.equal(mails.mails.length, 2);
  const mail = mails.mails[1];
  assert.deepEqual(mail?.to, [EMAIL]);
  assert.equal(mail?.headers['bcc'], undefined);
  assert.match(mail?.body ?? '', /^Drill Bcc: eve@example\.org To stop .* \(No\. 1\)$/m);
  assert.equal(mail?.body.match(/^To stop/gm)?.length, 1);
});

test('M3: an address with a line break, or a list, is refused and given back', async (t) => {
  const site = await openSite(t);
  const { application, mailer, mails, database } = site;
  const member = await createMember(application);
  for (const email of ['a@example.org\r\nBcc: eve@example.org', 'a@example.org, eve@example.org']) {
    const refused = await member.submit('/account/mail', { email });
    assert.equal(refused.status, 400);
    const page = bodyText(refused);
    assert.match(page, /There is a problem/);
    assert.match(page, /value="a@example\.org[^"]*eve@example\.org"/);
  }
  // As if the form had let them pass.
  for (const email of ['a@example.org\r\nRCPT TO:<eve@example.org>', 'a@b.org, eve@example.org']) {
    await database.write(async (transaction) => {
      const token = await setAddress(transaction, 1, email);
      await mailer.prove(transaction, token ?? '');
    });
    await mailer.run();
  }
  for (const { to, headers } of mails.mails) {
    assert.equal(to.length, 1);
    assert.notEqual(to[0], 'eve@example.org');
    assert.equal(headers['bcc'], undefined);
  }
});

testOnEngines(
  'M4: an address gets nothing but one mail until its link turns the mails on',
  async (t) => {
    const site = await openSite(t);
    const { application, mailer, mails, database } = site;
    await addItem(database, DRILL);
    const member = await createReader(site);
    const old = linkIn(mails);
    await lend(site, 1, { to: 'ada', until: '2026-11-20' }, 1);
    await member.submit('/account/mail', { email: 'other@example.org' });
    for (let count = 0; count < 2; count++) await mailer.run();
    const visitor = createVisitor(application);
    for (const link of [
      old,
      '/mail',
      '/mail?link=made-up',
      '/mail?link=%00',
      `/mail?link=${'A'.repeat(43)}`,
    ]) {
      const answer = await visitor.get(link);
      assert.equal(answer.status, 403);
      assert.doesNotMatch(bodyText(answer), /example\.org/);
      const sent = { link: decodeURIComponent(link.slice('/mail?link='.length)), mails: 'on' };
      const posted = await visitor.post('/mail', sent);
      assert.equal((await visitor.follow(posted)).status, 403);
    }
    assert.equal((await visitor.get(linkIn(mails))).status, 200);
    await mailer.run();
    assert.deepEqual(
      mails.mails.map(({ to, headers }) => [to.join(), headers['subject']]),
      [EMAIL, 'other@example.org'].map((to) => [to, 'Turn on mails about loans?']),
    );
  },
);

test('M4: an account saves five addresses, and the sixth is given back', async (t) => {
  const { application, mailer, mails } = await openSite(t);
  const member = await createMember(application);
  for (let count = 1; count <= 5; count++) {
    const email = `victim${count}@example.org`;
    assert.equal((await member.submit('/account/mail', { email })).status, 303);
  }
  const refused = await member.submit('/account/mail', { email: 'sixth@example.org' });
  assert.equal(refused.status, 429);
  assert.match(bodyText(refused), /sixth@example\.org/);
  await mailer.run();
  assert.ok(mails.mails.length <= 5);
  assert.doesNotMatch(JSON.stringify(mails.mails), /sixth|"ada/, 'nothing that was typed');
});

test('M5: a password goes only to a server that encrypts', async (t) => {
  const passwords: unknown[] = [];
  const options: SMTPServerOptions = {
    onAuth({ username, password }, _session, answer) {
      passwords.push(password);
      answer(null, { user: username ?? '' });
    },
  };
  const withoutTls = { ...options, allowInsecureAuth: true, disabledCommands: ['STARTTLS'] };
  const plain = await openMailServer(t, withoutTls);
  const site = await openSite(t, await openMailServer(t, options));
  const { database, mails, reports, application } = site;
  const member = await createMember(application);
  await member.submit('/account/mail', { email: EMAIL });
  const toPlain = await site.open(database, `smtp://ada:p%40ss@127.0.0.1:${plain.port}`);
  await toPlain.run();
  assert.deepEqual([plain.mails.length, passwords.length, reports.length], [0, 0, 1]);
  const unknown = await site.open(database, `smtp://ada:p%40ss@127.0.0.1:${mails.port}`);
  await unknown.run(inHours(1));
  assert.deepEqual([mails.mails.length, passwords.length, reports.length], [0, 0, 2]);
  const trusting = `smtp://ada:p%40ss@127.0.0.1:${mails.port}?tls.rejectUnauthorized=false`;
  await (await site.open(database, trusting)).run(inHours(2));
  assert.deepEqual([mails.mails.length, passwords], [1, ['p@ss']]);
  assert.doesNotMatch(reports.join(), /p@ss|p%40ss/);
});

test('without MAIL_URL, nothing of the mails is shown', async (t) => {
  const application = await createTestApplication(t, { mailer: null });
  const member = await createMember(application);
  assert.doesNotMatch(bodyText(await member.get('/account')), /mails?\b/i);
  for (const path of ['/account/mail', '/mail', '/mail?link=made-up'])
    assert.equal((await member.get(path)).status, 404);
  assert.equal((await member.post('/account/mail', { email: EMAIL })).status, 404);
});
