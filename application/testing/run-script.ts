/** Runs a command, such as `account`, as a child process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Environment } from '../settings/config.ts';
import { BARE_ENVIRONMENT } from './bare-environment.ts';
import { findCommand } from './find-program.ts';

/** Runs without the variables of this process that could configure it. */
export async function runScript(
  name: string,
  args: readonly string[],
  environment: Environment = {},
) {
  const child = spawn(process.execPath, [findCommand(name), ...args], {
    env: { ...BARE_ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: code as number | null, output, errors };
}
