/**
 * Makes the pictures that pages show of a file that somebody has sent, in a process of its own: picture-process.ts. One
 * file at a time, each with a limit of time; the process ends when nothing was asked of it for a while, and whatever
 * ends it, the next file gets a new one.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { extname, join } from 'node:path';
import type { PictureLibraries } from './picture-libraries.ts';
import type { Answer, MadePictures, Task } from './picture-task.ts';

/** Beside this file, also in the bundle. */
const PROGRAM = join(import.meta.dirname, `picture-process${extname(import.meta.filename)}`);

/** Milliseconds for one file, and until an idle process ends. */
const LIMITS = { time: 30_000, idle: 10_000 };

const LOW_PRIORITY = 10;

/** No picture can be made of the file, now or later. */
export class NoPicture extends Error {
  override readonly name = 'NoPicture';
}

/** Something else has ended the process: the stop of the service, an administrator, or a system without memory. */
export class PictureInterrupted extends Error {
  override readonly name = 'PictureInterrupted';
}

export interface PictureMaker {
  /** Rejects with a `NoPicture` or a `PictureInterrupted`; with another error if no process can be started. */
  readonly make: (task: Task) => Promise<MadePictures>;
  readonly close: () => Promise<void>;
}

export function createPictureMaker(
  libraries: PictureLibraries,
  { time, idle }: Partial<typeof LIMITS> & typeof LIMITS = LIMITS,
): PictureMaker {
  let running: ChildProcess | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let ending: NodeJS.Timeout | undefined;

  function start(): ChildProcess {
    if (running !== null) return running;
    const child = fork(PROGRAM, [JSON.stringify(libraries)], {
      serialization: 'advanced',
      // What the decoders say is of no use to anybody. The options of this process may be meant for it alone.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--max-old-space-size=128'],
      env: { PATH: process.env['PATH'] },
    });
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => {
      process.off('exit', kill);
      if (running === child) running = null;
    });
    child.once('spawn', () => lowerPriority(child.pid));
    running = child;
    return child;
  }

  async function make(task: Task): Promise<MadePictures> {
    clearTimeout(ending);
    const child = start();
    const answer = await ask(child, task, time);
    if ('made' in answer) return answer.made;
    if (answer.failure.isFatal) await end(child);
    throw new NoPicture(answer.failure.reason);
  }

  async function end(child: ChildProcess | null): Promise<void> {
    clearTimeout(ending);
    if (child === null || running !== child) return;
    running = null;
    const { promise, resolve } = Promise.withResolvers<void>();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
    await promise;
  }

  return {
    make(task) {
      const made = last.then(() => make(task));
      last = made
        .catch(() => {})
        .then(() => {
          ending = setTimeout(() => void end(running), idle).unref();
        });
      return made;
    },
    async close() {
      await end(running);
      await last;
      await end(running);
    },
  };
}

/** What is sent from outside. A decoder that crashes ends its process in other ways. */
const INTERRUPTIONS: ReadonlySet<NodeJS.Signals | null> = new Set([
  ...(['SIGHUP', 'SIGINT', 'SIGKILL', 'SIGQUIT', 'SIGTERM'] as const),
]);

/** A process that ends by itself without an answer has a file that cannot be decoded here. */
function ask(child: ChildProcess, task: Task, time: number): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  let isStarted = child.exitCode === null && isReady.has(child);
  const fail = (reason: string) => resolve({ failure: { reason, isFatal: true } });
  const take = (message: Answer | { readonly ready: true }) => {
    if (!('ready' in message)) return resolve(message);
    isReady.add(child);
    isStarted = true;
    child.send(task);
  };
  const stop = (_code: number | null, signal: NodeJS.Signals | null) => {
    if (!isStarted) return reject(new Error('The process of the pictures did not start.'));
    if (INTERRUPTIONS.has(signal))
      return reject(new PictureInterrupted(`The process of the pictures was ended by ${signal}.`));
    fail('the process of the pictures ended');
  };
  const timer = setTimeout(() => fail(`it took more than ${time} ms`), time);
  child.on('message', take).once('exit', stop).once('error', reject);
  if (isStarted) child.send(task);
  return promise.finally(() => {
    clearTimeout(timer);
    child.off('message', take).off('exit', stop).off('error', reject);
  });
}

const isReady = new WeakSet<ChildProcess>();

function lowerPriority(id: number | undefined): void {
  try {
    if (id !== undefined) setPriority(id, LOW_PRIORITY);
  } catch {
    // It has ended already, or the system does not allow it.
  }
}
