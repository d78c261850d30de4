// @ts-check
/** The name of a package from that of its directory: npm accepts few of the names that a disk does. */

/** npm refuses the first two, and installs no package into one of the same name. */
const TAKEN = ['node_modules', 'favicon.ico', 'seeother', 'pg', 'typescript'];

/** @param {string} directory its name alone */
export function toPackageName(directory) {
  const name = directory
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '')
    .slice(0, 200);
  if (name === '') return 'seeother-site';
  return TAKEN.includes(name) ? `${name}-site` : name;
}
