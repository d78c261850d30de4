/**
 * `npm run faults` does to the service what a bad day does, one script after the other, and prints
 * what came of it; `npm run faults -- <name>` runs one. Exit code 1 when a promise was broken.
 */
import { killWorkers } from './kill-workers.ts';
import { rollingRestart } from './rolling-restart.ts';

/** Each resolves to its figures, and rejects when a promise was broken. */
const FAULTS: Readonly<Record<string, () => Promise<string>>> = {
  'kill-workers': killWorkers,
  'rolling-restart': rollingRestart,
};

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !Object.hasOwn(FAULTS, name));
if (unknown !== undefined) {
  const names = Object.keys(FAULTS).join(', ');
  process.stderr.write(`Cannot run ${JSON.stringify(unknown)}: there are ${names}.\n`);
  process.exit(1);
}
for (const [name, run] of Object.entries(FAULTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  try {
    process.stdout.write(`${name}: ${await run()}\n`);
  } catch (error) {
    process.stderr.write(`${name}: broken: ${error instanceof Error ? error.stack : error}\n`);
    process.exitCode = 1;
  }
}
