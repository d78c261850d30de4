/** Runs before and after all test files: starts one PostgreSQL server for them, and puts their files in memory. */
import { skipWithout } from '../../../deploy/find-program.ts';
import { workInMemory } from '../work-in-memory.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { findPrograms, skipWithoutPrograms } from './find-programs.ts';

let cluster: Cluster | undefined;
let leaveMemory: (() => void) | undefined;

export async function globalSetup(): Promise<void> {
  if (process.env['TEST_DATABASE'] === 'postgres') explainWhatIsMissing();
  leaveMemory = workInMemory();
  if (findPrograms() === null) return;
  cluster = await startCluster();
  process.env['TEST_POSTGRES'] = cluster.address;
}

export async function globalTeardown(): Promise<void> {
  await cluster?.stop();
  leaveMemory?.();
}

function explainWhatIsMissing(): void {
  const why = skipWithoutPrograms();
  if (why !== false) {
    process.stderr.write(`The tests on PostgreSQL are skipped. ${why}\n`);
    process.exit(0);
  }
  const without = skipWithout('nginx', 'haproxy', 'openssl');
  if (without !== false)
    process.stderr.write(
      `The browser stories run without a balancer, on one instance. ${without}\n`,
    );
}
