/**
 * Starts a server as a process on the first core, and waits for its first answer. All logs go to
 * /dev/null; standard error is shown if the start fails.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';

export interface ServerOptions {
  readonly name: string;
  /** What Node runs: its own options, the script, and the words for it. */
  readonly command: readonly string[];
  /** The server is ready when it answers this. */
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the process gets a channel for messages. */
  readonly hasChannel?: boolean;
}

export interface RunningServer {
  readonly name: string;
  readonly child: ChildProcess;
  readonly pid: number;
  /** Without a slash at its end. */
  readonly url: string;
  /** Milliseconds from the start of the process. */
  readonly firstAnswerAfter: number;
  readonly stop: () => Promise<void>;
}

/** Milliseconds. */
const PATIENCE = 60_000;

const CAN_PIN = spawnSync('taskset', ['-c', '0', 'true']).status === 0;

/** The command line that runs on one core, where the machine can say so. */
export function pinned(core: number, command: readonly string[]): readonly string[] {
  return CAN_PIN ? ['taskset', '-c', String(core), ...command] : command;
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { name, path, environment, hasChannel = false } = options;
  const port = await findFreePort();
  const [command = '', ...words] = pinned(0, [process.execPath, ...options.command]);
  const started = performance.now();
  const child = spawn(command, words, {
    env: { ...process.env, ...environment, NODE_ENV: 'production', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe', ...(hasChannel ? ['ipc' as const] : [])],
  });
  // After an error of this process.
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = `${complaint}${text}`.slice(-2_000);
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(url + path))) {
    if (child.exitCode !== null || performance.now() - started > PATIENCE) {
      child.kill('SIGKILL');
      throw new Error(`Cannot start ${name}: ${path} is not answered.\n${complaint}`);
    }
    await setTimeout(1);
  }
  const firstAnswerAfter = performance.now() - started;
  return { name, child, pid: child.pid ?? 0, url, firstAnswerAfter, stop: () => stop(child) };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume().on('end', () => resolve(true));
    }).on('error', () => resolve(false));
  });
}

/** The application may need time to drain; the others end at once. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const killer = globalThis.setTimeout(() => child.kill('SIGKILL'), 3_000);
  await ended;
  clearTimeout(killer);
}
