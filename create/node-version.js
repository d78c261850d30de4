// @ts-check
/** On which Node a project runs. `prepare.cjs` of the templates reads the range from `package.json`. */
import { Refusal } from './refusal.js';

/** Those with which `npm run runtimes` tests the templates. Node 23 and 24.0 find no test in TypeScript. */
export const RANGE = '^22.18 || >=24.12';

export function requireNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  // As in `prepare.cjs`.
  const runs = RANGE.split(' || ').some((range) => {
    const [first = 0, second = 0] = range.replace(/^\D+/, '').split('.').map(Number);
    return major === first ? minor >= second : major > first && range.startsWith('>=');
  });
  if (runs) return;
  throw new Refusal(
    `Cannot create the project on Node ${version}: it needs Node ${RANGE}, and would not run. Install the newest from https://nodejs.org.`,
  );
}
