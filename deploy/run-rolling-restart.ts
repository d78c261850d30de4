/**
 * Runs rolling-restart.sh as an administrator would on the machine of the instances. Only `systemctl`
 * is a stub: it tells this process, which does what the unit says.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { requireProgram } from './find-program.ts';

export interface RollingRestart {
  readonly ports: readonly string[];
  /** Resolves when the instance has ended and another one is starting, possibly before it listens. */
  readonly restart: (port: string) => Promise<void>;
  /** Stubs for further programs: their names, and the shell code that they run. */
  readonly programs?: Readonly<Record<string, string>>;
}

export async function runRollingRestart({ ports, restart, programs = {} }: RollingRestart) {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  const obey = async (request: IncomingMessage) => {
    const port = /^restart seeother@(\d+)$/.exec(await text(request))?.[1];
    if (port === undefined) throw new Error('The script has asked for something else.');
    await restart(port);
  };
  const failures: unknown[] = [];
  const server = createServer((request, response) => {
    obey(request).then(
      () => response.end(),
      (error) => {
        failures.push(error);
        response.writeHead(500).end();
      },
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const systemctl = `curl --fail --silent --show-error --data "$*" http://127.0.0.1:${port}/`;
  for (const [name, words] of Object.entries({ systemctl, ...programs }))
    writeFileSync(join(folder, name), `#!/bin/sh\n${words}\n`, { mode: 0o755 });
  try {
    const child = spawn(join(import.meta.dirname, 'rolling-restart.sh'), ports, {
      env: { PATH: [folder, dirname(requireProgram('curl')), process.env['PATH']].join(':') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [output, errors, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    if (failures.length > 0) throw failures[0];
    return { code: code as number | null, output, errors };
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
}
