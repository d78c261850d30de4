import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readBody } from '../http/body.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { bodyText, createVisitor, hiddenFields, type Visitor } from '../testing/visitor.ts';

const GUIDE = new URL('../../../docs/guides/getting-started.md', import.meta.url);
const FRAMEWORK = fileURLToPath(new URL('../..', import.meta.url));
const source = /```ts\n([\s\S]*?)```/.exec(readFileSync(GUIDE, 'utf8'))?.[1] ?? '';

interface GuestBook {
  readonly visit: () => Visitor;
  readonly stop: () => Promise<void>;
}

/** A folder outside the repository in which `start` runs the guest book exactly as it is in the guide. */
function createFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'guest-book-'));
  const running: GuestBook[] = [];
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(FRAMEWORK, join(folder, 'node_modules', 'seeother'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'guest-book.ts'), source);
  return {
    async start(): Promise<GuestBook> {
      const book = await startIn(folder);
      running.push(book);
      return book;
    },
    async remove() {
      for (const { stop } of running) await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function startIn(folder: string): Promise<GuestBook> {
  const child = spawn(process.execPath, ['guest-book.ts'], {
    cwd: folder,
    env: { ...process.env, PORT: '0' },
  });
  const closed = once(child, 'close');
  const stop = async () => {
    child.kill('SIGTERM');
    await closed;
  };
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
    const url = /^Listening on (http:\S+)\n/m.exec(said)?.[1];
    if (url !== undefined) resolve(url);
  });
  child.on('close', () => reject(new Error(`It ended before it listened: ${errors}`)));
  const url = await listening;
  return {
    visit: () => createVisitor({ handle: (request) => ask(url, request) }),
    stop,
  };
}

/** Sends the request over a socket. */
async function ask(url: string, request: Request): Promise<Response> {
  const { host: _host, ...headers } = request.headers;
  const message = send(new URL(request.target, url), { method: request.method, headers });
  message.end(request.body === null ? undefined : await readBody(request, 1_000_000));
  const [answer] = await once(message, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const { 'set-cookie': cookies = [], location = '' } = answer.headers;
  return {
    status: answer.statusCode,
    headers: {
      'Set-Cookie': cookies,
      Location: location,
      'Content-Type': String(answer.headers['content-type']),
    },
    body: Buffer.concat(chunks).toString(),
  };
}

/** The entries of the guest with this name. */
async function entriesOf(visitor: Visitor, name: string): Promise<readonly string[]> {
  const page = bodyText(await visitor.get('/'));
  const entries = [...page.matchAll(/<li>(.*?)<\/li>/g)].map(([, entry = '']) => entry);
  return entries.filter((entry) => entry.startsWith(`${name}: `));
}

const WORDS = 'Hello & <b>good bye</b>';
const SHOWN = 'Hello &amp; &lt;b&gt;good bye&lt;/b&gt;';

/** Shared by the tests that do not stop it; each signs with another name. */
const shared = createFolder();
let book: GuestBook;
before(async () => {
  book = await shared.start();
});
after(shared.remove);

test('the guest book has at most 35 lines and imports at most 12 names', () => {
  assert.ok(source.trimEnd().split('\n').length <= 35);
  const names = [...source.matchAll(/import \{([^}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(','),
  );
  assert.ok(names.length > 5 && names.length <= 12, names.join());
});

test('the guest book has no code for its protections', () => {
  assert.doesNotMatch(
    source,
    /once|receipt|origin|catch|report|session|middleware|use\(|: [A-Z]\w+[;,)]/i,
  );
});

test('a form that is sent twice at once, and again later, counts once', async () => {
  const visitor = book.visit();
  const typed = { ...hiddenFields(bodyText(await visitor.get('/'))), name: 'Ada', words: WORDS };
  const answers = await Promise.all([visitor.post('/', typed), visitor.post('/', typed)]);
  answers.push(await visitor.post('/', typed));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303, 303],
  );
  const shown = bodyText(await visitor.get('/'));
  assert.match(shown, /<p role="status">Thank you for signing\.<\/p>/);
  assert.deepEqual(await entriesOf(visitor, 'Ada'), [`Ada: ${SHOWN}`]);
});

test('an entry and the receipt of its form survive a restart', async (t) => {
  const folder = createFolder();
  t.after(folder.remove);
  const first = await folder.start();
  const visitor = first.visit();
  const typed = { ...hiddenFields(bodyText(await visitor.get('/'))), name: 'Bo', words: WORDS };
  await visitor.post('/', typed);
  await first.stop();
  const second = await folder.start();
  assert.equal((await second.visit().post('/', typed)).status, 303);
  assert.deepEqual(await entriesOf(second.visit(), 'Bo'), [`Bo: ${SHOWN}`]);
});

test('a form that another site sends is refused', async () => {
  const visitor = book.visit();
  for (const site of ['cross-site', 'same-site']) {
    const headers = { 'sec-fetch-site': site };
    const answer = await visitor.submit('/', { name: 'Eve', words: WORDS }, { headers });
    assert.equal(answer.status, 403);
    assert.match(bodyText(answer), /Nothing was saved or changed/);
    assert.doesNotMatch(bodyText(answer), /good bye/);
  }
  assert.deepEqual(await entriesOf(visitor, 'Eve'), []);
});

test('a form that is not valid is shown again with its errors and everything typed', async () => {
  const visitor = book.visit();
  const again = await visitor.submit('/', { name: ' ', words: `${WORDS} again` });
  assert.equal(again.status, 400);
  assert.match(bodyText(again), /<a href="#name">Enter your name<\/a>/);
  assert.match(bodyText(again), new RegExp(`${SHOWN} again</textarea>`));
  assert.doesNotMatch(bodyText(await visitor.get('/')), /again/);
});
