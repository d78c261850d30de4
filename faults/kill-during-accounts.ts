/**
 * Kills a site with SIGKILL at a random moment of each step of its accounts: to register, log in, prove a second
 * factor, use a recovery code, reset a password, log in by a link, confirm an address, switch codes on and off, and
 * delete an account. Where a person can, a form was sent before without a session. After the restart, a form without
 * an answer is sent again, as a browser's refresh does. Then the person must get in, a thief with what was used must
 * not, and the form counts once.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { TOTP } from 'otpauth';
import type { Database } from 'seeother/database';
import { bodyText, createVisitor, type Visitor } from 'seeother/testing';
import { makeFolder, removeFolder } from '../application/testing/create-test-database.ts';
import { openBareDatabase } from '../application/testing/open-bare-database.ts';
import type { Place } from './kill-during-creates.ts';

const PROGRAM = join(import.meta.dirname, 'serve-accounts.ts');
const PASSWORD = 'three words in a row';
const NEW_PASSWORD = 'four words in a row';
const STOLEN = 'a password of a thief';

type Page = Awaited<ReturnType<Visitor['get']>>;

/** What is sent when the site is killed. */
interface Sent {
  readonly browser: Visitor;
  readonly page: Page;
  readonly fields: Readonly<Record<string, string>>;
  /** Counts what went wrong. Called when the form has an answer. */
  readonly check: (answer: Page) => Promise<Flaws>;
}

interface Flaws {
  /** The person does not get in. */
  readonly lockedOut?: boolean;
  /** Somebody else gets in, or gets more, with what was used. */
  readonly letIn?: boolean;
  /** Something happened more or less often than once. */
  readonly notOnce?: boolean;
}

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
}

async function start(place: Place, folder: string, port: string): Promise<Running> {
  const child = spawn(process.execPath, [PROGRAM, place.url, port, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [url] = await once(lines, 'line');
  return { child, url };
}

/** A browser from a network of its own. */
function openBrowser(url: string, address: string): Visitor {
  const handle: Parameters<typeof createVisitor>[0]['handle'] = async (request) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request.body ?? []) chunks.push(chunk);
    const { cookie = '', accept = '', 'content-type': type } = request.headers;
    const answer = await fetch(`${url}${request.target}`, {
      method: request.method,
      redirect: 'manual',
      headers: {
        cookie,
        accept,
        'x-forwarded-for': address,
        ...(type === undefined ? {} : { 'content-type': type }),
      },
      ...(request.method === 'POST' ? { body: Buffer.concat(chunks) } : {}),
    });
    const location = answer.headers.get('location');
    return {
      status: answer.status,
      headers: {
        'Content-Type': answer.headers.get('content-type') ?? '',
        'Set-Cookie': answer.headers.getSetCookie(),
        ...(location === null ? {} : { Location: location }),
      },
      body: await answer.text(),
    } as Page;
  };
  return createVisitor({ handle } as Parameters<typeof createVisitor>[0]);
}

/** For what is done before the step that is killed. */
function requireDone(answer: Page): void {
  if (answer.status !== 303) throw new Error(`The answer is ${answer.status}: ${bodyText(answer)}`);
}

/** One person with an account, and what the steps need of it. */
async function createPerson(url: string, database: Database, name: string, at: number) {
  const address = `198.18.${at >> 8}.${at & 255}`;
  const open = () => openBrowser(url, address);
  const count = async (sql: string, ...values: string[]) => {
    const { rows } = await database.read.run<{ readonly count: number | string }>(sql, values);
    return Number(rows[0]?.count);
  };
  const ofAccount = '(select id from seeother_accounts where username_key = ?)';
  const logIn = async (password: string) => {
    const browser = open();
    const answer = await browser.submit('/login', { username: name, password });
    return { browser, answer };
  };
  const isIn = async (browser: Visitor) =>
    bodyText(await browser.get('/')).includes(`Hello, ${name}`);
  const linkOfMail = async () => {
    const sql = 'select content from mails where recipient like ?';
    const { rows } = await database.read.run<{ readonly content: string }>(sql, [`${name}%`]);
    const links = rows.flatMap(
      ({ content }) => /^http:\/\/[^/]+(\/\S+)$/m.exec(content)?.[1] ?? [],
    );
    return links.at(-1) ?? '';
  };
  /** A form that is sent without a session: resolves to the query of the log-in. */
  const sendEarly = async (browser: Visitor) => {
    const refused = bodyText(await browser.post('/notes', { note: name }));
    const [, query = ''] = /href="\/login(\?[^"]*)"/.exec(refused) ?? [];
    return query.replaceAll('&amp;', '&');
  };
  /** The form is filled in after the log-in, and counts once, though it is sent twice. */
  const countsOnce = async (browser: Visitor, answer: Page) => {
    const filled = await browser.follow(answer);
    if (!bodyText(filled).includes(`value="${name}"`)) return false;
    for (const _ of [1, 2]) await browser.submit(filled, { note: name });
    return (await count('select count(*) as count from notes where note = ?', name)) === 1;
  };
  const switchOn = async (browser: Visitor) => {
    const page = await browser.get('/account/second-factor');
    const [, key = ''] = /<code>([A-Z2-7 ]{32,})<\/code>/.exec(bodyText(page)) ?? [];
    const codes = [...bodyText(page).matchAll(/<li><code>([A-Z-]+)<\/code>/g)].map(
      ([, code = '']) => code,
    );
    const codeOf = () => new TOTP({ secret: key.replaceAll(' ', '') }).generate();
    return { page, codes, codeOf };
  };
  const register = async () => {
    const invitation = bodyText(await open().get('/invitation'));
    const browser = open();
    const page = await browser.get(invitation);
    const fields = { username: name, password: PASSWORD, passwordagain: PASSWORD };
    return { browser, page, fields, invitation };
  };
  const registered = async () => {
    const { browser, page, fields } = await register();
    requireDone(await browser.submit(page, fields));
    return browser;
  };
  const withAddress = async () => {
    const browser = await registered();
    requireDone(await browser.submit('/account/email', { email: `${name}@example.org` }));
    requireDone(await browser.submit(await linkOfMail(), {}));
    return browser;
  };
  const withCodes = async () => {
    const browser = await registered();
    const { page, codes, codeOf } = await switchOn(browser);
    requireDone(await browser.submit(page, { code: codeOf() }));
    // The code of this half minute may be used again.
    await database.write(({ run }) =>
      run('update seeother_accounts set totp_step = 0 where username_key = ?', [name]),
    );
    return { browser, codes, codeOf };
  };
  const events = (kind: string) =>
    count(
      `select count(*) as count from seeother_account_events where kind = ? and account_id = ${ofAccount}`,
      kind,
      name,
    );
  const codesLeft = () =>
    count(
      `select count(*) as count from seeother_account_tokens where kind = 'recovery code' and account_id = ${ofAccount}`,
      name,
    );
  const accounts = () =>
    count('select count(*) as count from seeother_accounts where username_key = ?', name);
  return {
    ...{ name, open, logIn, isIn, linkOfMail, sendEarly, countsOnce, switchOn, register },
    ...{ registered, withAddress, withCodes, events, codesLeft, accounts },
  };
}

type Person = Awaited<ReturnType<typeof createPerson>>;

const STEPS: Readonly<Record<string, (person: Person) => Promise<Sent>>> = {
  async register({ register, isIn, open, accounts, logIn }) {
    const { invitation, ...sent } = await register();
    return {
      ...sent,
      async check() {
        const thief = open();
        const again = await thief.get(invitation);
        const later = await logIn(PASSWORD);
        return {
          lockedOut: !(await isIn(sent.browser)) || !(await isIn(later.browser)),
          letIn: again.status !== 403,
          notOnce: (await accounts()) !== 1,
        };
      },
    };
  },
  async 'log in'({ name, registered, open, sendEarly, countsOnce, isIn }) {
    await registered();
    const browser = open();
    const page = await browser.get(`/login${await sendEarly(browser)}`);
    return {
      browser,
      page,
      fields: { username: name, password: PASSWORD },
      async check(answer) {
        return {
          lockedOut: !(await isIn(browser)),
          letIn: await isIn(open()),
          notOnce: !(await countsOnce(browser, answer)),
        };
      },
    };
  },
  async 'second factor'(person) {
    const { codeOf } = await person.withCodes();
    return secondStep(person, '/login/second-factor', codeOf(), async () => ({}));
  },
  async 'recovery code'(person) {
    const { codes } = await person.withCodes();
    return secondStep(person, '/login/recovery-code', codes[0] ?? '', async () => ({
      notOnce:
        (await person.codesLeft()) !== 9 || (await person.events('recovery code used')) !== 1,
    }));
  },
  async reset({ name, withAddress, open, sendEarly, linkOfMail, logIn, countsOnce, isIn, events }) {
    await withAddress();
    const browser = open();
    const query = await sendEarly(browser);
    await browser.submit(`/password/forgot${query}`, { email: `${name}@example.org` });
    const link = await linkOfMail();
    return {
      browser,
      page: await browser.get(link),
      fields: { password: NEW_PASSWORD, passwordagain: NEW_PASSWORD },
      async check(answer) {
        const thief = open();
        await thief.post(link, { username: name, password: STOLEN, passwordagain: STOLEN });
        const former = await logIn(PASSWORD);
        const later = await logIn(NEW_PASSWORD);
        return {
          lockedOut: !(await isIn(browser)) || !(await isIn(later.browser)),
          letIn: (await isIn(thief)) || (await isIn(former.browser)),
          notOnce: (await events('password reset')) !== 1 || !(await countsOnce(browser, answer)),
        };
      },
    };
  },
  async 'link of a mail'({ name, withAddress, open, sendEarly, linkOfMail, countsOnce, isIn }) {
    await withAddress();
    const browser = open();
    const query = await sendEarly(browser);
    await browser.submit(`/login/link${query}`, { email: `${name}@example.org` });
    const link = await linkOfMail();
    return {
      browser,
      page: await browser.get(link),
      fields: {},
      async check(answer) {
        const again = await browser.get(link);
        const thief = open();
        await thief.post(link, {});
        return {
          lockedOut: !(await isIn(browser)),
          letIn: again.status !== 404 || (await isIn(thief)),
          notOnce: !(await countsOnce(browser, answer)),
        };
      },
    };
  },
  async 'confirm an address'({ name, registered, open, linkOfMail, isIn, events }) {
    const browser = await registered();
    await browser.submit('/account/email', { email: `${name}@example.org` });
    const link = await linkOfMail();
    return {
      browser,
      page: await browser.get(link),
      fields: {},
      async check() {
        const again = await open().get(link);
        return {
          lockedOut: !(await isIn(browser)),
          letIn: again.status !== 404,
          notOnce: (await events('address changed')) !== 1,
        };
      },
    };
  },
  async 'switch codes on'({ registered, switchOn, logIn, isIn, events, codesLeft }) {
    const browser = await registered();
    const { page, codes, codeOf } = await switchOn(browser);
    return {
      browser,
      page,
      fields: { code: codeOf() },
      async check() {
        const later = await logIn(PASSWORD);
        const letIn = await isIn(later.browser);
        const whole = (await codesLeft()) === 10;
        await later.browser.submit('/login/recovery-code', { code: codes[9] ?? '' });
        return {
          lockedOut: !(await isIn(browser)) || !(await isIn(later.browser)),
          letIn,
          notOnce: !whole || (await events('second factor added')) !== 1,
        };
      },
    };
  },
  async 'switch codes off'({ withCodes, logIn, isIn, events, codesLeft }) {
    const { browser } = await withCodes();
    return {
      browser,
      page: await browser.get('/account/second-factor/off'),
      fields: {},
      async check() {
        const later = await logIn(PASSWORD);
        return {
          lockedOut: !(await isIn(later.browser)),
          notOnce: (await codesLeft()) !== 0 || (await events('second factor removed')) !== 1,
        };
      },
    };
  },
  async 'delete the account'({ registered, logIn, isIn, accounts }) {
    const browser = await registered();
    return {
      browser,
      page: await browser.get('/account/delete'),
      fields: {},
      async check() {
        const later = await logIn(PASSWORD);
        return {
          letIn: (await isIn(browser)) || (await isIn(later.browser)),
          notOnce: (await accounts()) !== 0,
        };
      },
    };
  },
};

/** The second half of a log-in, and a thief who knows the password and has seen the code. */
async function secondStep(
  { name, open, sendEarly, logIn, countsOnce, isIn }: Person,
  path: string,
  code: string,
  more: () => Promise<Flaws>,
): Promise<Sent> {
  const browser = open();
  const query = await sendEarly(browser);
  requireDone(await browser.submit(`/login${query}`, { username: name, password: PASSWORD }));
  return {
    browser,
    page: await browser.get(`${path}${query}`),
    fields: { code },
    async check(answer) {
      const thief = await logIn(PASSWORD);
      await thief.browser.submit(path, { code });
      const own = await more();
      return {
        lockedOut: !(await isIn(browser)),
        letIn: await isIn(thief.browser),
        notOnce: own.notOnce === true || !(await countsOnce(browser, answer)),
      };
    },
  };
}

export async function killDuringAccounts(rounds: number, place: Place) {
  const folder = makeFolder();
  const database = await openBareDatabase(place.url);
  // Those of the application refer to its own table of accounts, and the site of this fault has another one.
  for (const name of ['account_tokens', 'account_events', 'passkeys', 'identities'])
    await database.write(({ run }) => run(`drop table if exists seeother_${name}`));
  let site = await start(place, folder, '0');
  const { url } = site;
  const { port } = new URL(url);
  const report = { rounds, unanswered: 0, lockedOut: 0, letIn: 0, notOnce: 0, failed: 0 };
  const flawed: string[] = [];
  try {
    // The first account is an administrator.
    await (await createPerson(url, database, 'root', 1)).registered();
    const steps = Object.entries(STEPS);
    for (let round = 0; round < rounds; round++) {
      const [what, prepare] = steps[round % steps.length] as (typeof steps)[number];
      const person = await createPerson(url, database, `person${round}`, round + 2);
      const { browser, page, fields, check } = await prepare(person);
      const first = browser.submit(page, fields).catch(() => null);
      await sleep(Math.random() * 25);
      const ended = once(site.child, 'close');
      site.child.kill('SIGKILL');
      await ended;
      let answer = await first;
      site = await start(place, folder, port);
      if (answer === null) {
        report.unanswered++;
        answer = await browser.submit(page, fields);
      }
      if (answer.status !== 303) report.failed++;
      const { lockedOut = false, letIn = false, notOnce = false } = await check(answer);
      if (lockedOut) report.lockedOut++;
      if (letIn) report.letIn++;
      if (notOnce) report.notOnce++;
      if (lockedOut || letIn || notOnce || answer.status !== 303)
        flawed.push(
          `${what}: ${JSON.stringify({ status: answer.status, lockedOut, letIn, notOnce })}`,
        );
    }
  } finally {
    site.child.kill('SIGKILL');
    await database.close();
    removeFolder(folder);
  }
  const integrity = await place.check();
  await place.remove();
  return { ...report, flawed: flawed.join('; '), integrity };
}
