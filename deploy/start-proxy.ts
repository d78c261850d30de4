/**
 * Starts nginx or HAProxy for a test, with the file that stands here: names, ports and certificates
 * are put in the places of those in the file, and nothing else is changed. All is gone with the test.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type ProxyName = 'nginx' | 'haproxy';

export interface RunningProxy {
  readonly http: number;
  readonly https: number;
  /** Of the certificate, for clients to believe in. */
  readonly certificate: string;
  readonly stop: () => Promise<void>;
}

const PLACES = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/** Null where there is none. */
export function findProgram(name: string): string | null {
  for (const place of PLACES) {
    try {
      accessSync(join(place, name), constants.X_OK);
      return join(place, name);
    } catch {
      // Elsewhere, perhaps.
    }
  }
  return null;
}

/** `ports` are those of the two instances; `folder` takes what the proxy writes. */
export async function startProxy(
  name: ProxyName,
  folder: string,
  ports: readonly [string, string],
): Promise<RunningProxy> {
  const { certificate, key } = makeCertificate(folder);
  const [http, https] = [await findFreePort(), await findFreePort()];
  const file = name === 'nginx' ? 'nginx.conf' : 'haproxy.cfg';
  const pem = join(folder, 'both.pem');
  writeFileSync(pem, certificate + readFileSync(key, 'utf8'));
  const replacements: readonly (readonly [string, string])[] = [
    ['127.0.0.1:8001', `127.0.0.1:${ports[0]}`],
    ['127.0.0.1:8002', `127.0.0.1:${ports[1]}`],
    ...(name === 'nginx'
      ? ([
          ['listen 80;', `listen 127.0.0.1:${http};`],
          ['listen 443 ', `listen 127.0.0.1:${https} `],
          ['/etc/nginx/things.example.crt', join(folder, 'certificate.pem')],
          ['/etc/nginx/things.example.key', key],
        ] as const)
      : ([
          ['bind :80', `bind 127.0.0.1:${http}`],
          ['bind :443', `bind 127.0.0.1:${https}`],
          ['/etc/haproxy/things.example.pem', pem],
        ] as const)),
  ];
  let config = readFileSync(join(import.meta.dirname, file), 'utf8');
  for (const [from, to] of replacements) {
    if (!config.includes(from)) throw new Error(`${file} does not say ${JSON.stringify(from)}`);
    config = config.replace(from, to);
  }
  writeFileSync(join(folder, file), config);
  const child = name === 'nginx' ? startNginx(folder) : startHaproxy(folder);
  await waitForPort(https, child);
  return {
    http,
    https,
    certificate,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}

function startNginx(folder: string): ChildProcess {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join(' ');
  // The workers of a nginx that root started would be another user, who may not enter the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const around = `${user} daemon off; worker_processes 1; pid ${join(folder, 'nginx.pid')};
    error_log ${join(folder, 'error.log')};
    events {}
    http { access_log off; ${temporary} include ${join(folder, 'nginx.conf')}; }`;
  writeFileSync(join(folder, 'around.conf'), around);
  const args = ['-p', folder, '-c', join(folder, 'around.conf'), '-e', join(folder, 'error.log')];
  execFileSync(findProgram('nginx') ?? '', [...args, '-t'], { stdio: 'pipe' });
  return spawn(findProgram('nginx') ?? '', args, { stdio: 'ignore' });
}

function startHaproxy(folder: string): ChildProcess {
  const file = join(folder, 'haproxy.cfg');
  execFileSync(findProgram('haproxy') ?? '', ['-c', '-f', file], { stdio: 'pipe' });
  return spawn(findProgram('haproxy') ?? '', ['-db', '-f', file], { stdio: 'ignore' });
}

function makeCertificate(folder: string) {
  const [file, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const args =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=things.example -addext subjectAltName=DNS:things.example';
  execFileSync(findProgram('openssl') ?? '', [...args.split(' '), '-out', file, '-keyout', key], {
    stdio: 'pipe',
  });
  return { certificate: readFileSync(file, 'utf8'), key };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
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
