/** The packages for npm: the same bytes each time, and nothing in them that nobody should get. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { createTestFolder } from '../application/testing/open-test-database.ts';
import { ROOT, readText } from '../scripts/project-files.ts';
import { findFlaws, readSbom } from '../scripts/sbom.ts';

const { version } = JSON.parse(readText('package.json')) as { version: string };
const NAMES = ['seeother', 'create-seeother'] as const;

/** What may be at the top, in folders of their own or not. */
const EXPECTED = {
  seeother:
    /^(?:LICENSE|README\.md|llms\.txt|package\.json|sbom\.cdx\.json|[\w-]+\.ts|src\/.+\.ts|dist\/.+\.(?:d\.ts|js)(?:\.map)?|docs\/.+\.(?:md|txt))$/,
  'create-seeother':
    /^(?:LICENSE|README\.md|package\.json|sbom\.cdx\.json|[\w-]+\.js|templates\/.+)$/,
};

/** With both packages in its folder `dist`, as in the repository. */
let made = '';
before(() => {
  made = mkdtempSync(join(tmpdir(), 'seeother-'));
  pack(join(made, 'dist'));
});
after(() => rmSync(made, { recursive: true, force: true }));

function pack(folder: string): void {
  execFileSync(process.execPath, [join(ROOT, 'scripts/pack.ts'), folder], { stdio: 'ignore' });
}

test('two runs give the same packages, which have an SBOM each, a licence, and no test or program of the project', async (t) => {
  const [first, second] = [join(made, 'dist'), createTestFolder(t)];
  pack(second);
  for (const name of NAMES) {
    const file = `${name}-${version}.tgz`;
    assert.equal(hash(join(first, file)), hash(join(second, file)), file);
    const listed = execFileSync('tar', ['-tf', join(first, file)], { encoding: 'utf8' });
    const files = listed.trim().split('\n');
    const paths = files.map((path) => path.replace(/^package\//, ''));
    for (const path of ['LICENSE', 'README.md', 'sbom.cdx.json']) assert.ok(paths.includes(path));
    assert.deepEqual(
      paths.filter((path) => !EXPECTED[name].test(path)),
      [],
    );
    const tests = paths.filter((path) => /\.test\.|\.program\./.test(path));
    // Those of a project that it makes are its templates'.
    assert.deepEqual(
      tests.filter((path) => !path.startsWith('templates/')),
      [],
    );
    const folder = join(first, name);
    assert.equal(await findFlaws(folder), null);
    assert.equal(readSbom(folder).metadata.component.version, version);
  }
});

test('the command of the README makes a project of the two files, with an empty cache and without the registry', (t) => {
  const cache = createTestFolder(t);
  const [command = ''] = /^npm exec .+ create-seeother .+$/m.exec(readText('README.md')) ?? [];
  const env = {
    ...process.env,
    npm_config_cache: cache,
    npm_config_offline: 'true',
  };
  const options = { cwd: made, env, stdio: 'pipe' } as const;
  execFileSync('sh', ['-c', `${command.replace('../notes', 'notes')} --yes --no-install`], options);
  const project = JSON.parse(readFileSync(join(made, 'notes/package.json'), 'utf8'));
  assert.equal(
    project.dependencies.seeother,
    `file:${join(made, 'dist', `seeother-${version}.tgz`)}`,
  );
});

function hash(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
