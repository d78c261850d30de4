/**
 * Starts a proxy for a test with its file in this folder. Only ports and certificates in the file are
 * replaced.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../application/testing/postgres/find-free-port.ts';
import { findProgram, requireProgram } from './find-program.ts';
import type { Certificate } from './make-certificate.ts';

export type ProxyName = keyof typeof PROXIES;

export interface RunningProxy {
  readonly http: number;
  readonly https: number;
  /** The certificate that clients must trust. */
  readonly certificate: string;
  /** Everything that the proxy has logged. */
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

export interface ProxyPlaces {
  /** Receives the output of the proxy. */
  readonly folder: string;
  readonly certificate: Certificate;
  /** The ports of the two instances. */
  readonly instances: readonly [string, string];
  /** The port to listen on; a free one by default. */
  readonly https?: number;
  /** Further texts of the file, and their replacements. */
  readonly replacements?: Readonly<Record<string, string>>;
}

interface Listening {
  readonly folder: string;
  readonly certificate: Certificate;
  readonly http: number;
  readonly https: number;
}

interface Proxy {
  readonly file: string;
  /** Texts of the file, and their replacements. */
  readonly places: (to: Listening) => Readonly<Record<string, string>>;
  readonly run: (to: Listening) => ChildProcess;
}

const PROXIES = {
  nginx: {
    file: 'nginx.conf',
    places: ({ folder, http, https, certificate: { file, keyFile } }) => ({
      '/var/log/nginx/': `${folder}/`,
      'listen 80;': `listen 127.0.0.1:${http};`,
      'listen 443 ': `listen 127.0.0.1:${https} `,
      '/etc/nginx/things.example.crt': file,
      '/etc/nginx/things.example.key': keyFile,
    }),
    run: runNginx,
  },
  haproxy: {
    file: 'haproxy.cfg',
    places: ({ http, https, folder }) => ({
      'bind :80': `bind 127.0.0.1:${http}`,
      'bind :443': `bind 127.0.0.1:${https}`,
      '/etc/haproxy/things.example.pem': join(folder, 'both.pem'),
    }),
    run: runHaproxy,
  },
  caddy: {
    file: 'Caddyfile',
    places: ({ folder, http, https, certificate: { file, keyFile } }) => ({
      '\n{\n': `\n{
        admin off
        default_bind 127.0.0.1
        http_port ${http}
        https_port ${https}
        storage file_system ${join(folder, 'caddy')}\n`,
      '\nthings.example {': `\nthings.example {\n\ttls ${file} ${keyFile}`,
    }),
    run: runCaddy,
  },
} as const satisfies Readonly<Record<string, Proxy>>;

/** Resolves when the proxy listens. */
export async function startProxy(name: ProxyName, places: ProxyPlaces): Promise<RunningProxy> {
  const { folder, certificate, instances } = places;
  const proxy: Proxy = PROXIES[name];
  const [http, https] = [await findFreePort(), places.https ?? (await findFreePort())];
  const to = { folder, certificate, http, https };
  const replacements = {
    '127.0.0.1:8001': `127.0.0.1:${instances[0]}`,
    '127.0.0.1:8002': `127.0.0.1:${instances[1]}`,
    ...proxy.places(to),
    ...places.replacements,
  };
  let config = readFileSync(join(import.meta.dirname, proxy.file), 'utf8');
  for (const [from, value] of Object.entries(replacements)) {
    if (!config.includes(from)) throw new Error(`${proxy.file} does not say ${from}`);
    config = config.replaceAll(from, value);
  }
  writeFileSync(join(folder, proxy.file), config);
  const child = proxy.run(to);
  // Caddy opens its ports one after the other.
  for (const port of [https, http]) await waitForPort(port, child);
  return {
    http,
    https,
    certificate: certificate.text,
    log: () => LOGS.map((name) => readLog(join(folder, name))).join(''),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/**
 * A complete configuration that includes the file and sets the limits as the file's first
 * lines advise. It runs with the scheduling policy of `nginx.service.conf`.
 */
function runNginx({ folder }: Listening): ChildProcess {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join(' ');
  // If root starts nginx, its workers run as another user, who may not enter the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const settings = `${user} daemon off; worker_processes 1; pid ${join(folder, 'nginx.pid')};
    error_log ${join(folder, 'error.log')};
    worker_rlimit_nofile 32768; events { worker_connections 16384; }
    http { access_log off; ${temporary} include ${join(folder, 'nginx.conf')}; }`;
  writeFileSync(join(folder, 'complete.conf'), settings);
  const args = ['-p', folder, '-c', join(folder, 'complete.conf'), '-e', join(folder, 'error.log')];
  const unit = readFileSync(join(import.meta.dirname, 'nginx.service.conf'), 'utf8');
  const policy = /^CPUSchedulingPolicy=(\w+)$/m.exec(unit)?.[1] ?? 'other';
  // Only Linux has it.
  const chrt = findProgram('chrt');
  const launcher = chrt === null ? [] : [chrt, `--${policy}`, '0'];
  return checkAndRun('nginx', [...args, '-t'], args, folder, launcher);
}

function runHaproxy({ folder, certificate: { text, keyFile } }: Listening): ChildProcess {
  writeFileSync(join(folder, 'both.pem'), text + readFileSync(keyFile, 'utf8'));
  const args = ['-f', join(folder, 'haproxy.cfg')];
  return checkAndRun('haproxy', ['-c', ...args], ['-db', ...args], folder);
}

function runCaddy({ folder }: Listening): ChildProcess {
  const args = ['--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  return checkAndRun('caddy', ['validate', ...args], ['run', ...args], folder);
}

/**
 * Lets the proxy check its file first; an error in it is thrown with the reason. `launcher` is a
 * command that runs the proxy, such as `chrt`.
 */
function checkAndRun(
  name: string,
  check: readonly string[],
  run: readonly string[],
  folder: string,
  launcher: readonly string[] = [],
): ChildProcess {
  const program = requireProgram(name);
  const env = { HOME: folder };
  execFileSync(program, check, { env, stdio: 'pipe' });
  const output = openSync(join(folder, OUTPUT), 'a');
  try {
    const [command = program, ...args] = [...launcher, program, ...run];
    return spawn(command, args, { env, stdio: ['ignore', output, output] });
  } finally {
    closeSync(output);
  }
}

const OUTPUT = 'output.log';
/** The last two are for nginx. */
const LOGS = [OUTPUT, 'seeother.log', 'error.log'];

function readLog(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

async function waitForPort(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(20);
  }
  throw new Error(`The proxy has ended with ${child.exitCode} before it listened.`);
}
