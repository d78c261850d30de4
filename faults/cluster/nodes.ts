/**
 * Three machines for a cluster, each with an address, a disk of 2 GB and its own processes, in a network that has no
 * way out: namespaces of Linux. They run etcd and Patroni with the files of deploy/cluster; what ends is started again,
 * as by systemd. Needs root, and is called in namespaces of its own (see run-cluster.ts), which end with all processes.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireProgram } from '../../deploy/find-program.ts';
import { ROOT } from '../../scripts/project-files.ts';

export const NAMES = ['db1', 'db2', 'db3'] as const;
export type NodeName = (typeof NAMES)[number];

/** Milliseconds until systemd starts a service again. */
const RESTART = 2_000;

export interface ClusterNode {
  readonly name: NodeName;
  readonly address: string;
  readonly start: () => void;
  /** Ends all processes at once, as a loss of power does. They stay away until `start`. */
  readonly kill: () => void;
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly fillDisk: () => void;
  readonly freeDisk: () => void;
  /** Drops each packet from and to it, silently. */
  readonly cut: () => void;
  readonly join: () => void;
}

const run = (program: string, ...args: readonly string[]) =>
  execFileSync(requireProgram(program), args, { encoding: 'utf8' });
const ip = (...args: readonly string[]) => run('ip', ...args);

export const addressOf = (name: NodeName) => `192.0.2.1${name.at(-1)}`;

/** The network of this process and of the nodes: 192.0.2.1 is this process. */
export function createNetwork(): void {
  // Where "ip netns" keeps names: of this process alone, so that none is left.
  mkdirSync('/run/netns', { recursive: true });
  run('mount', '-t', 'tmpfs', 'tmpfs', '/run/netns');
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', 'switch', 'type', 'bridge');
  ip('address', 'add', '192.0.2.1/24', 'dev', 'switch');
  ip('link', 'set', 'switch', 'up');
}

export function createNode(name: NodeName, folder: string): ClusterNode {
  const home = join(folder, name);
  const port = `port-${name}`;
  const { uid, gid } = userOf('postgres');
  mkdirSync(home);
  run('mount', '-t', 'tmpfs', '-o', `size=2G,uid=${uid},gid=${gid},mode=700`, 'tmpfs', home);
  ip('netns', 'add', name);
  ip('link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  ip('link', 'set', port, 'master', 'switch', 'up');
  ip('-n', name, 'address', 'add', `${addressOf(name)}/24`, 'dev', 'eth0');
  ip('-n', name, 'link', 'set', 'eth0', 'up');
  ip('-n', name, 'link', 'set', 'lo', 'up');

  const place = (text: string) =>
    text
      .replaceAll('/var/lib/postgresql', home)
      .replaceAll('/var/run/postgresql', home)
      .replaceAll('/var/lib/etcd', `${home}/etcd`);
  const patroni = join(folder, `${name}.yml`);
  writeFileSync(patroni, place(toNode(read('patroni.yml'), name)), { mode: 0o600 });
  chownSync(patroni, uid, gid);
  const etcd = Object.fromEntries(
    [...place(toNode(read('etcd.env'), name)).matchAll(/^(ETCD_\w+)=(.*)$/gm)].map(
      ([, key = '', value = '']) => [key, value],
    ),
  );
  const guard = join(folder, `${name}.sh`);
  writeFileSync(guard, place(toNode(read('leave-full-disk.sh'), name)), { mode: 0o755 });
  const filler = join(home, 'filler');

  let isOn = false;
  const keepRunning = (program: string, args: readonly string[], env: NodeJS.ProcessEnv) => {
    if (!isOn) return;
    const log = openSync(join(folder, `${name}.log`), 'a');
    const inside = ['netns', 'exec', name, requireProgram('setpriv')];
    const user = ['--reuid=postgres', '--regid=postgres', '--init-groups'];
    const child: ChildProcess = spawn(
      requireProgram('ip'),
      [...inside, ...user, requireProgram(program), ...args],
      {
        cwd: home,
        env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', ...env },
        stdio: ['ignore', log, log],
      },
    );
    child.once('exit', () => setTimeout(keepRunning, RESTART, program, args, env));
  };
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of ip('netns', 'pids', name).split('\n').filter(Boolean))
      try {
        process.kill(Number(pid), signal);
      } catch {}
  };
  return {
    name,
    address: addressOf(name),
    start() {
      isOn = true;
      keepRunning('etcd', [], etcd);
      keepRunning('patroni', [patroni], {});
      keepRunning('sh', [guard], {});
    },
    kill() {
      isOn = false;
      signalAll('SIGKILL');
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    // Ends with an error, because nothing more can be written.
    fillDisk: () => void spawnSync(requireProgram('dd'), ['if=/dev/zero', `of=${filler}`, 'bs=1M']),
    freeDisk: () => rmSync(filler, { force: true }),
    cut: () => void ip('link', 'set', port, 'nomaster'),
    join: () => void ip('link', 'set', port, 'master', 'switch'),
  };
}

const read = (file: string) => readFileSync(join(ROOT, 'deploy/cluster', file), 'utf8');

/** The file of db1 for another node: its name, and its own address where the file does not list all three. */
function toNode(text: string, name: NodeName): string {
  return text
    .split('\n')
    .map((line) =>
      line.includes(addressOf('db2'))
        ? line
        : line.replaceAll('db1', name).replaceAll(addressOf('db1'), addressOf(name)),
    )
    .join('\n');
}

function userOf(name: string): { readonly uid: number; readonly gid: number } {
  const [, , uid, gid] =
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .find(([user]) => user === name) ?? [];
  if (uid === undefined) throw new Error(`There is no user ${name}: "apt-get install postgresql".`);
  return { uid: Number(uid), gid: Number(gid) };
}
