// @ts-check
/** On which Node a project runs. `prepare.cjs` of the templates reads the range from `package.json`. */
import { Refusal } from './options.js';

/**
 * Those with which the templates are tested. Node 23 and 24.0 find no test in TypeScript. The application needs
 * Argon2, which Node 22 lacks.
 */
const RANGES = { form: '^22.18 || >=24.12', app: '>=24.12' };

/** @param {import('./options.js').Template} template */
export function toRange(template) {
  return RANGES[template];
}

/**
 * @param {import('./options.js').Template} template
 * @param {string} version
 */
export function requireNode(template, version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  // As in `prepare.cjs`.
  const runs = RANGES[template].split(' || ').some((range) => {
    const [first = 0, second = 0] = range.replace(/^\D+/, '').split('.').map(Number);
    return major === first ? minor >= second : major > first && range.startsWith('>=');
  });
  if (runs) return;
  throw new Refusal(
    `Cannot create the project on Node ${version}: it needs Node ${toRange(template)}, and would not run. Install the newest from https://nodejs.org.`,
  );
}
