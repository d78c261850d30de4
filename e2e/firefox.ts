/**
 * One Firefox for all tests of a process, because starting it takes longer than most of them. It is driven over
 * WebDriver BiDi, for tests of what the window on top shows and Back brings: stories that are told in both browsers get
 * the Firefox of launch-browser.ts, whose windows never have the focus. This implements only what the tests need.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { after, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENGINE } from '../application/testing/create-test-database.ts';
import { requireProgram, skipWithout } from '../deploy/find-program.ts';

/** Milliseconds, for every wait. */
const LIMIT = 60_000;

export interface Firefox {
  readonly open: (url: string) => Promise<unknown>;
  readonly goBack: () => Promise<unknown>;
  /** Types the text into the field with key presses. */
  readonly type: (selector: string, text: string) => Promise<void>;
  readonly click: (selector: string) => Promise<unknown>;
  readonly setFile: (selector: string, path: string) => Promise<unknown>;
  readonly evaluate: (expression: string) => Promise<unknown>;
  /** Resolves when the expression is true on a loaded page. */
  readonly waitFor: (expression: string) => Promise<void>;
}

const PROGRAM = 'firefox-esr';

/** For `test(name, { skip }, …)`. */
export const skipFirefox = ENGINE === 'postgres' ? 'told on SQLite' : skipWithout(PROGRAM);

let launched: ReturnType<typeof launchFirefox> | undefined;
/** Resolves when no test has a window. */
let free: Promise<unknown> = Promise.resolve();

after(async () => (await launched)?.close());

/**
 * A window with cookies of its own, until the end of the test. Another test that wants one waits so long, because a
 * page knows whether its window has the focus.
 */
export async function openFirefox(t: TestContext): Promise<Firefox> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  t.after(() => release());
  const before = free;
  free = released;
  await before;
  launched ??= launchFirefox(requireProgram(PROGRAM));
  const { send } = await launched;
  const { userContext } = await send('browser.createUserContext', {});
  t.after(() => send('browser.removeUserContext', { userContext }));
  const { context } = await send('browsingContext.create', { type: 'window', userContext });
  return drive(send, context);
}

async function launchFirefox(executable: string) {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  const child = spawn(
    executable,
    ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', '0'],
    { env: { PATH: process.env['PATH'], HOME: folder }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(child, 'close');
  const close = async () => {
    child.kill('SIGTERM');
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT);
    await ended;
    clearTimeout(limit);
    rmSync(folder, { recursive: true, maxRetries: 5 });
  };
  try {
    const send = await connect(`${await readAddress(child)}/session`);
    await send('session.new', { capabilities: {} });
    return { send, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Firefox prints the address of its WebDriver server to standard error. */
async function readAddress({ stderr }: ChildProcessByStdio<null, null, Readable>): Promise<string> {
  const limit = { signal: AbortSignal.timeout(LIMIT) };
  let errors = '';
  stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  for (;;) {
    const found = /WebDriver BiDi listening on (ws:\S+)/.exec(errors)?.[1];
    if (found !== undefined) return found;
    await once(stderr, 'data', limit).catch((cause) => {
      throw new Error(`Firefox does not say where it listens: ${errors}`, { cause });
    });
  }
}

function drive(send: Send, context: string): Firefox {
  const evaluate = async (expression: string) => {
    const answer = await send('script.evaluate', {
      expression,
      target: { context },
      awaitPromise: false,
    });
    if (answer.type === 'success') return answer.result.value;
    throw new Error(`${expression}: ${answer.exceptionDetails.text}`);
  };
  const find = (selector: string) => `document.querySelector(${JSON.stringify(selector)})`;
  return {
    open: (address) =>
      send('browsingContext.navigate', { context, url: address, wait: 'complete' }),
    goBack: () => send('browsingContext.traverseHistory', { context, delta: -1 }),
    evaluate,
    async setFile(selector, path) {
      const { result } = await send('script.evaluate', {
        expression: find(selector),
        target: { context },
        awaitPromise: false,
      });
      const element = { sharedId: result.sharedId };
      await send('input.setFiles', { context, element, files: [path] });
    },
    click: (selector) => evaluate(`${find(selector)}.click()`),
    async type(selector, text) {
      await evaluate(`${find(selector)}.focus()`);
      const keys = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      const actions = [{ type: 'key', id: 'keyboard', actions: keys }];
      await send('input.performActions', { context, actions });
    },
    async waitFor(expression) {
      const deadline = Date.now() + LIMIT;
      const isTrue = () => evaluate(`document.readyState === 'complete' && (${expression})`);
      // A page that is being left cannot answer.
      while ((await isTrue().catch(() => false)) !== true) {
        if (Date.now() > deadline) throw new Error(`Firefox never had: ${expression}`);
        await sleep(50);
      }
    },
  };
}

/** Sends one command; resolves to its result. */
// biome-ignore lint/suspicious/noExplicitAny: results differ from command to command.
type Send = (method: string, parameters: object) => Promise<any>;

async function connect(url: string): Promise<Send> {
  const socket = new WebSocket(url);
  const { promise: opened, resolve, reject } = Promise.withResolvers<unknown>();
  socket.addEventListener('open', resolve);
  socket.addEventListener('error', () => reject(new Error(`Cannot connect to Firefox on ${url}.`)));
  await opened;
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, error, message } = JSON.parse(data);
    const command = waiting.get(id);
    waiting.delete(id);
    if (type === 'success') command?.resolve(result);
    else command?.reject(new Error(`${error}: ${message}`));
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has ended.'));
  });
  let count = 0;
  return (method, params) => {
    const command = Promise.withResolvers<unknown>();
    waiting.set(++count, command);
    socket.send(JSON.stringify({ id: count, method, params }));
    return command.promise;
  };
}
