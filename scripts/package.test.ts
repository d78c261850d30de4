/** Uses the package as it is published, in a project outside the repository that has nothing else. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { createReport, REPORT } from './api-report.ts';
import { COMPILERS, packFramework, readEntries } from './pack-framework.ts';
import { listGuides } from './project-files.ts';

const FOLDER = realpathSync(mkdtempSync(join(tmpdir(), 'seeother-package-')));
const SETTINGS = {
  module: 'nodenext',
  target: 'es2024',
  types: [],
  noEmit: true,
  // The compiler's own declarations are not checked, those of the package are.
  skipLibCheck: false,
  skipDefaultLibCheck: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  verbatimModuleSyntax: true,
  isolatedDeclarations: true,
  declaration: true,
};
const ROUTES = `import { createRouter, text } from 'seeother';
const router = createRouter().get('/', () => text('here'));
router.group('/admin', (group) => group.post('/', () => text('there', 400)));
console.log(router.routes.map(({ registeredAt }) => registeredAt).join('\\n'));
`;

before(() => {
  packFramework(join(FOLDER, 'node_modules/seeother'));
  const entries = readEntries().map(([name], index) => `export * as entry${index} from '${name}';`);
  writeFileSync(join(FOLDER, 'entries.ts'), entries.join('\n'));
  writeFileSync(join(FOLDER, 'routes.mjs'), ROUTES);
  writeFileSync(join(FOLDER, 'package.json'), '{"type":"module"}');
  const settings = { compilerOptions: SETTINGS, files: ['entries.ts'] };
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(settings));
});

after(() => rmSync(FOLDER, { recursive: true }));

for (const { version, file } of COMPILERS)
  test(`the declarations of every entry compile with TypeScript ${version}, without @types/node`, () => {
    const { status, stdout } = run([file, '--project', FOLDER]);
    assert.equal(status, 0, stdout);
  });

test('the API is the one of docs/api-report.txt, which npm run api writes anew', () => {
  const report = createReport(join(FOLDER, 'node_modules/seeother'));
  assert.equal(report, readFileSync(REPORT, 'utf8'));
});

test('the package has every guide, and its README, llms.txt and guides link only to files that it has', () => {
  const folder = join(FOLDER, 'node_modules/seeother');
  for (const document of ['README.md', 'llms.txt', ...listGuides()]) {
    const text = readFileSync(join(folder, document), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
    const targets = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, target = '']) => target);
    const missing = targets.filter(
      (target) =>
        !target.startsWith('https:') && !existsSync(join(folder, dirname(document), target)),
    );
    assert.deepEqual(missing, [], document);
  }
});

for (const options of [[], ['--enable-source-maps']])
  test(`a route names the file that registered it, with the options [${options}] of Node`, () => {
    const { stdout, stderr } = run([...options, join(FOLDER, 'routes.mjs')]);
    const [first = '', second = ''] = stdout.split('\n');
    assert.match(first, /[\\/]routes\.mjs:2:\d+$/, stderr);
    assert.match(second, /[\\/]routes\.mjs:3:\d+$/);
  });

function run(args: readonly string[]) {
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}
