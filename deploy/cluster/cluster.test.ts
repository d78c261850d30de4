/** `npm run faults -- cluster` runs a cluster with these files; here they are only read. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { requireProgram, skipWithout } from '../find-program.ts';

const file = (name: string) => join(import.meta.dirname, name);

test('HAProxy and the shell understand their files', { skip: skipWithout('haproxy') }, () => {
  execFileSync(requireProgram('haproxy'), ['-c', '-f', file('haproxy-postgresql.cfg')]);
  execFileSync(requireProgram('sh'), ['-n', file('leave-full-disk.sh')]);
});
