import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';

const FILE = join(import.meta.dirname, 'resolve-imports.cjs');

/** Runs `main.mjs` among the files. */
function run(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'resolved-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  symlinkSync(join(folder, 'linked'), join(folder, 'node_modules/linked'), 'junction');
  const { NODE_COMPILE_CACHE: _, ...environment } = process.env;
  return spawnSync(process.execPath, ['--require', FILE, join(folder, 'main.mjs')], {
    env: environment,
    encoding: 'utf8',
  });
}

const PACKAGES = {
  // A package of CommonJS, which searches, and one that is a link, as a workspace is.
  'node_modules/old/index.js': "exports.next = 1; exports.part = require('./part');",
  'node_modules/old/part.js': "module.exports = 'part';",
  'linked/package.json': '{ "type": "module", "exports": "./index.js" }',
  'linked/index.js': "export { default } from './state.js';",
  'linked/state.js': "import './typed.ts'; import './more.ts'; export default { count: 0 };",
  'linked/typed.ts': 'export const nothing: null = null;',
  'linked/more.ts': "import { next } from 'old'; export const more: number = next;",
};

test('a module is the same, relative or by the name of its package', (t) => {
  const { stdout, stderr } = run(t, {
    ...PACKAGES,
    'main.mjs': `import { part } from 'old'; import one from 'linked'; import other from './linked/state.js';
      process.stdout.write([part, one === other].join());`,
  });
  assert.equal(stdout, 'part,true', stderr);
});

test('the error of a missing file names the importing one', (t) => {
  const main = "import './there.mjs'; import './gone.mjs';";
  const { stderr } = run(t, { ...PACKAGES, 'there.mjs': '', 'main.mjs': main });
  assert.match(stderr, /Cannot find module '.*gone\.mjs' imported from .*main\.mjs/);
});
