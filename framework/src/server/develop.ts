/**
 * The program of `node --import seeother/develop main.ts`: it runs `main.ts` in a process of its own, and starts it
 * again when a file changes. It owns the address of the site, so a request that arrives meanwhile waits for the
 * changed program. The program serves on a free port of this machine, and each connection is passed on to it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { PARENT_URL, type Serving, toUrl } from './listen.ts';

/** Milliseconds without a change before the program starts: a checkout changes many files. */
const QUIET = 50;
/** A database, a log or an uploaded file is no source. */
const SOURCE =
  /^\.env|\.(?:[cm]?[jt]s|json|css|html|svg|png|jpe?g|gif|webp|ico|woff2|txt|sql|env)$/;
const IGNORED = /(?:^|[\\/])(?:node_modules|dist|coverage|storage|\.[^\\/]+)(?:[\\/]|$)/;
const TEST = /\.test\.[cm]?[jt]s$/;
/** Characters of standard error that the page of a program that has ended shows. */
const SHOWN = 8_192;

/** The port of the program, or why it does not serve. */
type Target = number | string;

/** Whether this process is the one of the program. */
export function isDeveloped(): boolean {
  return process.env[PARENT_URL] !== undefined;
}

/** Never resolves, so that `main.ts` does not run in this process. Rejects if the address is taken. */
export async function develop(
  folder: string,
  { HOST = '127.0.0.1', PORT = '8000' }: Readonly<Record<string, string | undefined>>,
): Promise<never> {
  let target = Promise.withResolvers<Target>();
  let child: ChildProcess | null = null;
  let watchers: readonly FSWatcher[] = [];
  let pause: NodeJS.Timeout | undefined;

  const server = createServer({ allowHalfOpen: true }, async (client) => {
    client.on('error', () => client.destroy());
    let asked: typeof target;
    do {
      asked = target;
      await asked.promise;
    } while (asked !== target);
    pass(client, await target.promise);
  });
  server.listen(Number(PORT), HOST);
  await once(server, 'listening');
  const url = toUrl(server.address() as AddressInfo, 'http');

  const start = () => {
    for (const watcher of watchers) watcher.close();
    watchers = watchSources(folder, change);
    const mine = target;
    child = run(url, mine.resolve, (reason) => {
      if (mine !== target) return;
      target = Promise.withResolvers();
      target.resolve(reason);
      mine.resolve(reason);
    });
  };
  const change = () => {
    clearTimeout(pause);
    pause = setTimeout(start, QUIET);
    if (child === null) return;
    target = Promise.withResolvers();
    child.kill();
    child = null;
  };
  start();
  return new Promise(() => {});
}

/** Runs what this process was started for, with the same options of Node. */
function run(
  url: string,
  onServing: (port: number) => void,
  onEnd: (reason: string) => void,
): ChildProcess {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'pipe', 'ipc'],
    env: { ...process.env, [PARENT_URL]: url },
  });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    process.stderr.write(text);
    errors = (errors + text).slice(-SHOWN);
  });
  child.on('message', ({ port }: Serving) => onServing(port));
  child.on('close', () => {
    onEnd(`The program has ended. It starts again after the next change.\n\n${errors}`);
  });
  return child;
}

function pass(client: Socket, target: Target): void {
  if (typeof target === 'string') {
    const body = Buffer.from(target);
    client.resume().write(
      `HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r
Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
    );
    client.end(body);
    return;
  }
  const program = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
  program.on('error', () => client.destroy());
  program.on('close', () => client.destroySoon());
  client.on('close', () => program.destroySoon());
  client.pipe(program);
  program.pipe(client);
}

/** Of the folder itself and of all below it, but not of packages and other folders without sources. */
function watchSources(folder: string, onChange: () => void): readonly FSWatcher[] {
  const listen = (_event: string, file: string | null) => {
    if (file !== null && isSource(file)) onChange();
  };
  const folders = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !IGNORED.test(entry.name))
    .map(({ name }) => join(folder, name));
  return [watch(folder, listen), ...folders.map((one) => watch(one, { recursive: true }, listen))];
}

/** Whether a change of the file, a path within the folder, starts the program again. */
export function isSource(file: string): boolean {
  return SOURCE.test(basename(file)) && !TEST.test(file) && !IGNORED.test(dirname(file));
}
