/** How the service reaches the leader: it knows all hosts itself, or something between them does. */
import { spawn } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireProgram } from '../../deploy/find-program.ts';
import { ROOT } from '../../scripts/project-files.ts';

export const WAYS = {
  hosts: (direct: string) => direct,
  haproxy(direct: string, folder: string) {
    const file = place('cluster/haproxy-postgresql.cfg', folder, (text) => text);
    spawn(requireProgram('haproxy'), ['-f', file], { stdio: 'ignore' });
    return through(direct, 5_000);
  },
  /** Behind it is HAProxy, because it cannot tell the leader from a standby. */
  pgbouncer(direct: string, folder: string) {
    WAYS.haproxy(direct, folder);
    // A disk of the user postgres.
    const writable = join(folder, 'db1');
    const users = place('pgbouncer.ini', folder, () => '"seeother" "secret"\n', 'userlist.txt');
    const file = place('pgbouncer.ini', folder, (text) =>
      text
        .replace('host=db1.example port=5432', 'host=127.0.0.1 port=5000')
        .replace('/etc/pgbouncer/userlist.txt', users)
        .replaceAll('/var/log/postgresql', writable)
        .replaceAll('/var/run/postgresql', writable),
    );
    spawn(
      requireProgram('setpriv'),
      ['--reuid=postgres', '--regid=postgres', '--init-groups', requireProgram('pgbouncer'), file],
      { stdio: 'ignore' },
    );
    return `${through(direct, 6_432)}?pooler=transaction`;
  },
};

function through(direct: string, port: number): string {
  return direct.replace(/@[^/]+/, `@127.0.0.1:${port}`).replace(/\?.*/, '');
}

function place(
  source: string,
  folder: string,
  change: (text: string) => string,
  name = source.replace('/', '-'),
): string {
  const file = join(folder, name);
  writeFileSync(file, change(readFileSync(join(ROOT, 'deploy', source), 'utf8')));
  chmodSync(file, 0o644);
  return file;
}
