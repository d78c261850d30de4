/** Runs a command of an administrator: an expected failure is one line on standard error, and exit code 1. */
import { DatabaseUnavailable } from 'seeother/database';
import { StartError } from '../application/settings/start-error.ts';

export async function runCommand(
  run: (args: readonly string[]) => Promise<void>,
  isExpected: (error: unknown) => boolean = () => false,
): Promise<void> {
  try {
    await run(process.argv.slice(2));
  } catch (error) {
    const isKnown = error instanceof StartError || error instanceof DatabaseUnavailable;
    if (!isKnown && !isExpected(error)) throw error;
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
