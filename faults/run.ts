/** `npm run faults` runs every fault, `npm run faults -- kill` one; exit code 1 when a promise is broken. */
import { killDuringCreates } from './kill-during-creates.ts';

const FAULTS: Readonly<Record<string, () => Promise<object>>> = {
  kill: () => killDuringCreates(30),
};

/** What must be 0 in every report. */
const PROMISES = ['lost', 'ghosts', 'doubled'];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in FAULTS));
if (unknown.length > 0) {
  process.stderr.write(
    `Cannot run the fault ${unknown.join(', ')}: there are ${Object.keys(FAULTS).join(', ')}.\n`,
  );
  process.exit(1);
}
for (const [name, run] of Object.entries(FAULTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const report = Object.entries(await run());
  process.stdout.write(
    `${name}: ${report.map(([what, value]) => `${what} ${value}`).join(', ')}\n`,
  );
  if (report.some(([what, value]) => PROMISES.includes(what) && value !== 0)) process.exitCode = 1;
}
