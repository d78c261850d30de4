/**
 * Checks Node, the user, the processors and the port. It tests the port by listening on it for a
 * moment.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import type { Config } from '../../application/settings/config.ts';
import { bad, type Finding, good, note } from './finding.ts';

export function examineMachine({ workers }: Config): readonly Finding[] {
  const findings = [good(`Node ${process.versions.node}: 24.12 or newer is needed.`)];
  const cores = availableParallelism();
  if (workers > cores) {
    findings.push(
      note(
        `WORKERS=${workers} is more than the ${cores} processors of this machine, which gains nothing.`,
      ),
    );
  }
  if (process.getuid?.() === 0) {
    findings.push(
      note('This user is root. Run the service as a separate user without privileges.'),
    );
  }
  return findings;
}

export async function examinePort({ host, port }: Config): Promise<readonly Finding[]> {
  if (port === 0) return [];
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    server.close();
    return [good(`port ${port} of ${host} is free.`)];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') return [await describeOther(host, port)];
    return [bad(`port ${port} of ${host} cannot be used: ${message}. Set HOST or PORT.`)];
  }
}

/** Milliseconds: a service on a busy machine is slow to answer. */
const PATIENCE = 10_000;

async function describeOther(host: string, port: number): Promise<Finding> {
  const name = host.includes(':') ? `[${host}]` : host;
  const answer = await fetch(`http://${name}:${port}/healthz`, {
    signal: AbortSignal.timeout(PATIENCE),
  })
    .then((response) => response.text())
    .catch(() => '');
  if (answer === 'ok\n') {
    return note(
      `port ${port} of ${host} is used by a service like this one: it is already running.`,
    );
  }
  return bad(
    `port ${port} of ${host} is used by another program. Stop it, or set PORT to another number.`,
  );
}
