// @ts-check
/** The package manager that started the command, by what npm, pnpm, Yarn and Bun say of themselves. */

/** @typedef {'npm' | 'pnpm' | 'yarn' | 'bun'} Manager */

/** @type {readonly Manager[]} */
const MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'];

/**
 * @param {string | undefined} agent such as `pnpm/10.1.0 npm/? node/v26.10.0 linux x64`
 * @returns {Manager} npm if it is none of them
 */
export function toManager(agent = '') {
  return MANAGERS.find((name) => agent.startsWith(`${name}/`)) ?? 'npm';
}

/**
 * @param {Manager} manager
 * @returns {readonly string[]}
 */
export function toInstallArguments(manager) {
  return manager === 'npm' ? ['install', '--no-fund', '--no-audit'] : ['install'];
}

/** @param {Manager} manager */
export function toStartCommand(manager) {
  return manager === 'bun' ? 'bun run start' : `${manager} start`;
}
