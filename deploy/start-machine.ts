/**
 * A copy of this machine's file system that nothing else sees, in which packages are installed and their units run.
 * There is no systemd in it: `startUnit` does what a unit says of user, folders, settings and protection. Needs root.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Machine {
  /** Runs a command of the shell as root. Resolves to what it prints; rejects if it fails. */
  readonly run: (command: string) => Promise<string>;
  /** The command of an installed unit, such as `seeother@.service`, with everything else that the unit says. */
  readonly commandOf: (unit: string, instance?: string) => Promise<string>;
  /** Starts such a command in the background. */
  readonly start: (unit: string, instance?: string) => Promise<void>;
  /** Ends what was started, with SIGTERM. */
  readonly end: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The folder gets the changed files, in memory. What is below it is seen inside too. */
export async function startMachine(folder: string): Promise<Machine> {
  for (const part of ['disk', 'root']) mkdirSync(join(folder, part));
  const inside = `cd ${folder}
mount -t tmpfs tmpfs disk && mkdir disk/upper disk/work
mount -t overlay overlay -o lowerdir=/,upperdir=disk/upper,workdir=disk/work root
mount --bind /proc root/proc && mount --bind /dev root/dev
[ ! -d /dev/shm ] || mount --bind /dev/shm root/dev/shm
exec chroot root sh`;
  const shell = spawn('unshare', ['--mount', 'sh', '-ec', inside], { stdio: 'pipe' });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));

  const ended = rejectAtEnd(shell);
  ended.catch(() => {});

  const run = async (command: string): Promise<string> => {
    const from = output.length;
    const mark = `end-${from}`;
    shell.stdin.write(`(${command}\n) </dev/null 2>&1; echo "${mark} $?"\n`);
    const end = new RegExp(`${mark} (\\d+)\\n`);
    for (;;) {
      const found = end.exec(output.slice(from));
      if (found !== null) {
        const printed = output.slice(from, from + found.index);
        if (found[1] === '0') return printed;
        throw new Error(
          `Cannot run ${command}: it ended with ${found[1]}, and printed:\n${printed}`,
        );
      }
      await Promise.race([once(shell.stdout, 'data'), ended]);
    }
  };

  const commandOf = async (unit: string, instance = '') => {
    const text = (await run(`cat /usr/lib/systemd/system/${unit}`)).replaceAll('%i', instance);
    const all = (setting: string) =>
      [...text.matchAll(new RegExp(`^${setting}=(.+)$`, 'gm'))].map(([, value = '']) => value);
    const one = (setting: string) => all(setting)[0] ?? '';
    const writable = [
      ...all('StateDirectory').map((name) => `/var/lib/${name}`),
      ...all('CacheDirectory').map((name) => `/var/cache/${name}`),
      ...all('ReadWritePaths'),
    ];
    const [user, group] = [one('User'), one('Group')];
    const lines = [
      ...writable.map((path) => `install -d -o ${user} -g ${group} -m 0700 ${path}`),
      ...writable.map((path) => `mount --bind ${path} ${path}`),
      // ProtectSystem=strict, and PrivateTmp=yes.
      'mount -o remount,bind,ro /',
      'mount -t tmpfs tmpfs /tmp',
      `cd ${one('WorkingDirectory')}`,
      `umask ${one('UMask')}`,
      ...all('Environment').map((setting) => `export '${setting}'`),
      ...all('EnvironmentFile').map((file) => `set -a; . ${file}; set +a`),
      `exec setpriv --reuid ${user} --regid ${group} --clear-groups ${one('ExecStart').replaceAll('%%', '%')}`,
    ];
    return `exec unshare --mount sh -ec ${quote(lines.join('\n'))}`;
  };

  await run('true');
  return {
    run,
    commandOf,
    async start(unit, instance) {
      await run(`${await commandOf(unit, instance)} >> /run/${unit}.log 2>&1 & echo $! > /run/pid`);
    },
    async end() {
      await run('kill $(cat /run/pid) && while kill -0 $(cat /run/pid) 2>&-; do sleep 0.05; done');
    },
    async stop() {
      // What was started and not ended, after a failed assertion.
      await run('[ ! -f /run/pid ] || kill -9 $(cat /run/pid) 2>&- || true');
      shell.stdin.end();
      if (shell.exitCode === null) await once(shell, 'exit');
    },
  };
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

async function rejectAtEnd(shell: ChildProcess): Promise<never> {
  await once(shell, 'exit');
  throw new Error('The shell of the machine has ended.');
}
