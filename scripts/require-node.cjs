/**
 * The npm scripts load this file first. It refuses a Node version that is too old, in one line. It is
 * old-style JavaScript, because such a Node could not parse newer syntax. Features of newer versions
 * are in the files that it loads.
 */
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 24 || (major === 24 && minor < 12)) {
  process.stderr.write(
    `Cannot run on Node ${process.versions.node}: Node 24.12 or newer is needed. Run "npm ci" and then "npm start", which brings its own, or install a newer Node.\n`,
  );
  process.exit(1);
}

require('./keep-compiled.cjs');
require('./resolve-imports.cjs');
