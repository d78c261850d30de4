/**
 * What a project must do on each declared runtime: every entry of the package can be imported, the tests of all
 * templates pass, and the served application counts a form that is sent twice at once, refuses a foreign host, and logs
 * a user in. The runtime serves; this process asks, over sockets.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hiddenFields } from 'seeother/testing';
import { askServer } from './ask-server.ts';

/** How a runtime is called. */
export interface Commands {
  readonly program: string;
  /** The arguments before the file of a program. */
  readonly run: readonly string[];
  readonly test: readonly string[];
}

export interface Project {
  readonly folder: string;
  readonly template: 'form' | 'app' | 'crud';
}

const TIMEOUT = 120_000;
const ENVIRONMENT = { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0' };

/** The names of what has failed, each with the reason. */
export async function tryRuntime(
  commands: Commands,
  projects: readonly Project[],
  entries: readonly string[],
): Promise<readonly string[]> {
  const failures: string[] = [];
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    await work().catch((error: Error) => failures.push(`${what}: ${error.message.trim()}`));
  };
  for (const { folder, template } of projects) {
    await attempt(`tests of ${template}`, () => run(commands, commands.test, folder));
    await attempt(`server of ${template}`, () => serve(commands, folder, template));
  }
  await attempt('entries', async () => {
    const [{ folder }] = projects as readonly [Project];
    const imports = entries.map((entry) => `await import('${entry}');`);
    writeFileSync(join(folder, 'entries.ts'), `${imports.join('\n')}\nexport {};\n`);
    await run(commands, [...commands.run, 'entries.ts'], folder);
    rmSync(join(folder, 'entries.ts'));
  });
  return failures;
}

async function run({ program }: Commands, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(program, args, { cwd, env: ENVIRONMENT, timeout: TIMEOUT });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  const [code, signal] = await once(child, 'close');
  assert.equal(code, 0, `it ended with ${code ?? signal}:\n${output.slice(-4_000)}`);
}

async function serve(
  { program, run }: Commands,
  cwd: string,
  template: Project['template'],
): Promise<void> {
  const child = spawn(program, [...run, 'main.ts'], { cwd, env: ENVIRONMENT, timeout: TIMEOUT });
  const closed = once(child, 'close');
  let output = '';
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const url = /Listening on (http:\S+)\n/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
  child.on('close', () => reject(new Error(`it ended before it listened:\n${output}`)));
  try {
    await USES[template](await listening);
  } finally {
    child.kill('SIGTERM');
    await closed;
  }
}

/** What a visitor of the template does. */
const USES = { form: sendTwice, app: logInAndSendTwice, crud: addTwice };

async function sendTwice(url: string): Promise<void> {
  const browser = createBrowser(url);
  await refusesForeignHost(browser);
  await browser.sendTwice('/', { text: 'Buy milk' });
  const { text } = await browser.ask('GET', '/');
  assert.equal(text.match(/<li>Buy milk<\/li>/g)?.length, 1, text);
}

async function addTwice(url: string): Promise<void> {
  const browser = createBrowser(url);
  await refusesForeignHost(browser);
  await browser.sendTwice('/things/new', { name: 'Drill' });
  const { text } = await browser.ask('GET', '/things');
  assert.equal(text.match(/>Drill</g)?.length, 1, text);
}

async function logInAndSendTwice(url: string): Promise<void> {
  const browser = createBrowser(url);
  await refusesForeignHost(browser);
  const ada = { username: 'Ada', password: 'correct horse battery' };
  const isLoggedIn = async () => (await browser.ask('GET', '/items/new')).status === 200;
  await browser.send('/register', { ...ada, passwordagain: ada.password });
  assert.ok(await isLoggedIn(), 'a new account is not logged in');
  await browser.send('/logout', {}, '/');
  assert.ok(!(await isLoggedIn()), 'a log-out has not ended the session');
  const wrong = await browser.send('/login', { ...ada, password: 'correct horse' });
  assert.notEqual(wrong.status, 303, 'a wrong password logs in');
  await browser.send('/login', ada);
  assert.ok(await isLoggedIn(), 'a right password does not log in');
  await browser.sendTwice('/items/new', { name: 'Drill', quantity: '2' });
  const { text } = await browser.ask('GET', '/');
  assert.equal(text.match(/>Drill</g)?.length, 1, text);
}

async function refusesForeignHost({ ask }: ReturnType<typeof createBrowser>): Promise<void> {
  const { status } = await ask('GET', '/', undefined, 'evil.example');
  assert.ok(status >= 400 && status < 500, `a foreign host got ${status}`);
}

/** Keeps cookies as a browser on plain http does, which would not keep one with `Secure`. */
function createBrowser(url: string) {
  const cookies = new Map<string, string>();
  const ask = async (
    method: 'GET' | 'POST',
    path: string,
    body?: string,
    host = new URL(url).host,
  ) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const headers = {
      ...{ host, origin: `http://${host}` },
      ...(cookie === '' ? {} : { cookie }),
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const answer = await askServer(url, path, { method, headers, body, agent: false });
    for (const line of answer.cookies) {
      assert.doesNotMatch(line, /; Secure/i, 'a cookie is Secure over http');
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status: answer.status, text: answer.body };
  };
  const toBody = async (fields: Readonly<Record<string, string>>, page: string) => {
    const { text } = await ask('GET', page);
    return new URLSearchParams({ ...(hiddenFields(text) as object), ...fields }).toString();
  };
  return {
    ask,
    send: async (path: string, fields: Readonly<Record<string, string>>, page = path) =>
      ask('POST', path, await toBody(fields, page)),
    async sendTwice(path: string, fields: Readonly<Record<string, string>>): Promise<void> {
      const body = await toBody(fields, path);
      const answers = await Promise.all([ask('POST', path, body), ask('POST', path, body)]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [303, 303],
        answers.map(({ text }) => text).join('\n'),
      );
    },
  };
}
