/**
 * The npm scripts load this file first. It refuses a Node that does not run this project, in one line: an older
 * one finds no test, or does not know the ending .ts. Then it lets Node keep what it has compiled, which halves the
 * time of a start, and reads the settings in .env, if there is one. It is old-style JavaScript, which such a Node can
 * read.
 */
const { engines } = require('./package.json');

/** Such as "^22.18 || >=24.12". */
const [major, minor] = process.versions.node.split('.').map(Number);
const runs = engines.node.split(' || ').some((range) => {
  const [first, second] = range.replace(/^\D+/, '').split('.').map(Number);
  return major === first ? minor >= second : major > first && range.startsWith('>=');
});

if (!runs) {
  process.stderr.write(
    `Cannot run on Node ${process.versions.node}: this project needs Node ${engines.node}. Install the newest from https://nodejs.org.\n`,
  );
  process.exit(1);
}

require('node:module').enableCompileCache(`${__dirname}/node_modules/.cache/compiled`);
if (require('node:fs').existsSync('.env')) process.loadEnvFile('.env');
