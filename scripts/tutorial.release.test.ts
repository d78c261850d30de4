/** The project of the tutorial after each step: its types, its tests, its server, and the end of it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { BARE_ENVIRONMENT } from '../application/testing/bare-environment.ts';
import { writeProject } from '../create/project.js';
import { runExample } from './document-examples.ts';
import { packFramework } from './pack-framework.ts';
import { ROOT } from './project-files.ts';
import { applyChanges, readTutorial } from './read-tutorial.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'seeother-tutorial-'));
const steps = readTutorial().map((step, index) => ({
  ...step,
  folder: join(FOLDER, `step-${index + 1}`),
}));
const last = steps.at(-1) ?? assert.fail('no step');

before(() => {
  packFramework(join(FOLDER, 'node_modules/seeother'));
  symlinkSync(join(ROOT, 'node_modules/@types'), join(FOLDER, 'node_modules/@types'), 'junction');
  for (const { folder, files } of steps) {
    for (const [file, text] of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
  }
  writeFileSync(join(FOLDER, 'tsconfig.json'), last.files.get('tsconfig.json') ?? '');
});

after(() => rmSync(FOLDER, { recursive: true }));

test('the tutorial has eight steps, and each compiles with the settings of the project', () => {
  assert.equal(steps.length, 8);
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, '--project', FOLDER];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});

for (const { document, folder, commands } of steps) {
  test(`the project serves and passes its tests after ${document}`, async () => {
    const { isPassed, output } = await runExample(process.execPath, ['main.ts'], folder);
    assert.ok(isPassed, output);
    const options = { cwd: folder, env: BARE_ENVIRONMENT, encoding: 'utf8' } as const;
    const tested = spawnSync(process.execPath, ['site.test.ts'], options);
    assert.equal(tested.status, 0, tested.stdout + tested.stderr);
    if (process.platform === 'win32') return;
    // They read or write the database that the server has made.
    for (const command of commands) {
      const { status, stderr } = spawnSync('sh', ['-c', command], options);
      assert.equal(status, 0, stderr);
    }
  });
}

test('the project at the end is that of npm create with --template app', () => {
  const directory = join(FOLDER, 'items');
  const options = { template: 'app', database: 'sqlite', install: false, git: false } as const;
  writeProject({ ...options, directory, seeother: undefined });
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1));
  // The tutorial writes no rules for programs and no check of Node, and npm adds the dependencies.
  const added = ['AGENTS.md', 'prepare.cjs'];
  assert.deepEqual(names.sort(), [...last.files.keys(), ...added].sort());
  for (const [file, text] of last.files) {
    const made = readFileSync(join(directory, file), 'utf8');
    if (file !== 'package.json') assert.equal(text, made, file);
    else {
      const { dependencies, devDependencies, ...rest } = JSON.parse(
        made.replaceAll('--require ./prepare.cjs ', ''),
      );
      assert.deepEqual(JSON.parse(text), rest);
      assert.ok('seeother' in dependencies && 'typescript' in devDependencies);
    }
  }
});

test('a change is refused when its place is missing or not the only one', () => {
  assert.equal(applyChanges('a\nb\nc\n', ' a\n-b\n+x\n+\n@@\n c\n+d\n'), 'a\nx\n\nc\nd\n');
  assert.throws(() => applyChanges('a\na\n', ' a\n+b\n'), /there twice:\na\n$/);
  assert.throws(() => applyChanges('ab\n', ' b\n+c\n'), /not there/);
});
