import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { hiddenFields } from 'seeother/testing';
import { BARE_ENVIRONMENT } from '../application/testing/bare-environment.ts';
import { createBarePostgresDatabase } from '../application/testing/postgres/cluster.ts';
import { skipWithoutPrograms } from '../application/testing/postgres/find-programs.ts';
import { packFramework } from '../scripts/pack-framework.ts';
import { listFiles, ROOT, readText } from '../scripts/project-files.ts';
import { VERSIONS } from './project.js';

const CREATE = join(ROOT, 'create', 'index.js');
/** Outside the repository, with the packages that `npm install` would bring to each project in it. */
const FOLDER = mkdtempSync(join(tmpdir(), 'create-seeother-'));
const ENVIRONMENT = { ...BARE_ENVIRONMENT, npm_config_update_notifier: 'false' };
const shell = process.platform === 'win32';

before(() => {
  packFramework(join(FOLDER, 'node_modules/seeother'));
  mkdirSync(join(FOLDER, 'node_modules/@types'));
  for (const name of ['.bin', '@types/node', 'typescript', 'pg'])
    symlinkSync(join(ROOT, 'node_modules', name), join(FOLDER, 'node_modules', name), 'junction');
});

after(() => rmSync(FOLDER, { recursive: true }));

function create(args: readonly string[], environment = ENVIRONMENT): SpawnSyncReturns<string> {
  const options = { cwd: FOLDER, env: environment, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [CREATE, ...args], options);
}

function createProject(...args: readonly string[]): string {
  const { status, stderr } = create([...args, '--no-install']);
  assert.equal(status, 0, stderr);
  return join(FOLDER, args[0] ?? '');
}

function assertRefused(args: readonly string[], message: string): void {
  const { status, stdout, stderr } = create([...args, '--no-install']);
  assert.deepEqual({ status, stdout, stderr }, { status: 1, stdout: '', stderr: `${message}\n` });
}

function readPackage(project: string) {
  return JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
}

/** Gives the database ten times as long as by default, because a busy machine is slow. */
function waitLonger(file: string): void {
  const source = readFileSync(file, 'utf8');
  const patient = source.replace('migrate: createTables', '$&, timeout: 20_000');
  assert.notEqual(patient, source);
  writeFileSync(file, patient);
}

/** Runs `npm test` of the project: its types, then its tests. */
function runTests(cwd: string, environment = {}): void {
  const env = { ...ENVIRONMENT, ...environment };
  const { status, stdout, stderr } = spawnSync('npm', ['test'], {
    cwd,
    env,
    encoding: 'utf8',
    shell,
  });
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /^\S+ pass 3$/m);
}

/** Runs the command of `npm start`, sends the form of the first page twice at once, and stops. */
async function sendTwice(cwd: string, environment = {}): Promise<void> {
  const [, ...args] = readPackage(cwd).scripts.start.split(' ');
  const env = { ...ENVIRONMENT, ...environment, PORT: '0' };
  const child = spawn(process.execPath, args, { cwd, env });
  const closed = once(child, 'close');
  let output = '';
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const url = /Listening on (http:\S+)\n/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
  }
  child.on('close', () => reject(new Error(`It ended before it listened: ${output}`)));
  try {
    const url = await listening;
    const shown = await fetch(url);
    const cookie = shown.headers.getSetCookie().map((line) => line.split(';')[0]);
    const fields = { ...hiddenFields(await shown.text()), text: 'Buy milk' };
    const body = new URLSearchParams(fields as Record<string, string>);
    const headers = { cookie: cookie.join('; '), origin: url };
    const send = () => fetch(url, { method: 'POST', body, headers, redirect: 'manual' });
    const answers = await Promise.all([send(), send()]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303],
    );
    const page = await (await fetch(url)).text();
    assert.equal(page.match(/<li>Buy milk<\/li>/g)?.length, 1, page);
    const styles = await fetch(new URL('/styles.css', url));
    assert.equal(styles.status, 200);
  } finally {
    child.kill('SIGTERM');
  }
  if (!shell) assert.deepEqual(await closed, [0, null], output);
}

test('a project passes its tests and counts a form that is sent twice once', async () => {
  const project = createProject('sqlite');
  assert.equal(readPackage(project).name, 'sqlite');
  assert.deepEqual(readdirSync(project, { recursive: true }).sort(), [
    '.gitignore',
    'AGENTS.md',
    'layout.ts',
    'main.ts',
    'notes.test.ts',
    'notes.ts',
    'package.json',
    'public',
    join('public', 'styles.css'),
    'router.ts',
    'tsconfig.json',
  ]);
  runTests(project);
  await sendTwice(project);
});

test('a project with PostgreSQL does the same', { skip: skipWithoutPrograms() }, async (t) => {
  const project = createProject('postgres', '--database', 'postgres');
  assert.ok(existsSync(join(project, '.env')));
  for (const file of ['main.ts', 'notes.test.ts']) waitLonger(join(project, file));
  const tested = await createBarePostgresDatabase();
  t.after(tested.drop);
  runTests(project, { TEST_DATABASE_URL: tested.url });
  const served = await createBarePostgresDatabase();
  t.after(served.drop);
  await sendTwice(project, { DATABASE_URL: served.url });
});

test('a project with PostgreSQL says what is missing', () => {
  const project = createProject('unset', '--database', 'postgres');
  const start = (env = {}) => {
    const options = { cwd: project, env: { ...ENVIRONMENT, ...env }, encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync(process.execPath, ['main.ts'], options);
    assert.equal(status, 1);
    return stderr;
  };
  assert.match(
    start(),
    /^Cannot start: DATABASE_URL is not set\. Write it into \.env, such as .*\n$/,
  );
  assert.match(
    start({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }),
    /^Cannot open the database of DATABASE_URL: no server listens there\. .*\n$/,
  );
});

test('a directory that is not empty, or a file, is refused', () => {
  mkdirSync(join(FOLDER, 'full/.git'), { recursive: true });
  writeFileSync(join(FOLDER, 'full/mine.txt'), 'mine');
  assertRefused(
    ['full'],
    'Cannot create a project in "full": the directory is not empty (it has "mine.txt"). Choose another name, or empty it first.',
  );
  assert.deepEqual(readdirSync(join(FOLDER, 'full')), ['.git', 'mine.txt']);
  assertRefused(
    ['full/mine.txt'],
    'Cannot create a project in "full/mine.txt": it is a file. Choose another name.',
  );
});

test('a directory that has only a repository of Git is used', () => {
  mkdirSync(join(FOLDER, 'cloned/.git'), { recursive: true });
  assert.ok(existsSync(join(createProject('cloned'), 'main.ts')));
});

test('a command that cannot be read is refused with advice', () => {
  assertRefused(
    ['x', '--databse', 'sqlite'],
    "Cannot read the command: Unknown option '--databse'. --help lists the options.",
  );
  const { stderr } = create(['x', '--database']);
  assert.match(
    stderr,
    /^Cannot read the command: .*'--database.*[^.]\. --help lists the options\.\n$/,
  );
  assertRefused(
    ['x', '--database', 'mysql'],
    'Cannot use the database "mysql": choose sqlite or postgres.',
  );
  assertRefused(
    ['my', 'notes'],
    'Cannot create more than one project: "my" and "notes" are given. Put a name with spaces in quotation marks.',
  );
  assert.ok(!existsSync(join(FOLDER, 'x')));
});

test('a name that npm does not accept is changed in package.json, and the command says so', () => {
  const { status, stdout } = create(['Ünïted Notes!', '--no-install']);
  assert.equal(status, 0);
  assert.match(stdout, /^The package is named united-notes: npm does not accept/m);
  assert.match(stdout, /^ {2}cd "Ünïted Notes!"$/m);
  assert.equal(readPackage(join(FOLDER, 'Ünïted Notes!')).name, 'united-notes');
});

test('without a terminal it asks nothing, and without a directory it takes the default', () => {
  const { status, stdout } = create(['--no-install']);
  assert.equal(status, 0);
  assert.match(stdout, /^Created 10 files in seeother-site\.\n/);
  assert.deepEqual(Object.keys(readPackage(join(FOLDER, 'seeother-site')).dependencies), [
    'seeother',
  ]);
});

test('--help lists every option', () => {
  const { status, stdout } = create(['--help']);
  assert.equal(status, 0);
  for (const option of ['--database', '--no-install', '--no-git', '--seeother', '--yes'])
    assert.ok(stdout.includes(option), option);
});

test('--git makes a repository', { skip: spawnSync('git', ['--version']).status !== 0 }, () => {
  assert.ok(existsSync(join(createProject('with-git', '--git'), '.git/HEAD')));
});

test('when git and npm fail, the project is complete and the command says what is left', () => {
  const env = { ...ENVIRONMENT, PATH: join(FOLDER, 'none') };
  const { status, stdout, stderr } = create(['left', '--git', '--install'], env);
  assert.equal(status, 1);
  assert.match(stderr, /"git init" failed\. The project is complete/);
  assert.match(stderr, /"npm install" failed\. The project is complete/);
  assert.match(stdout, /^ {2}npm install$/m);
  assert.ok(existsSync(join(FOLDER, 'left/main.ts')));
});

test('--seeother names a version, or a packed file', () => {
  writeFileSync(join(FOLDER, 'packed.tgz'), '');
  const dependencyOf = (seeother: string, name: string) =>
    readPackage(createProject(name, '--seeother', seeother)).dependencies.seeother;
  assert.equal(dependencyOf('next', 'with-tag'), 'next');
  assert.match(dependencyOf('packed.tgz', 'with-file'), /^file:.*packed\.tgz$/);
});

test('the versions of a project are those of this repository', () => {
  const { devDependencies } = JSON.parse(readText('package.json'));
  const framework = JSON.parse(readText('framework/package.json'));
  assert.equal(JSON.parse(readText('create/package.json')).version, framework.version);
  assert.deepEqual(VERSIONS, {
    typescript: `^${devDependencies.typescript}`,
    '@types/node': `^${devDependencies['@types/node']}`,
    pg: framework.peerDependencies.pg,
  });
});

test('the package has every file of the templates', () => {
  const { stdout } = spawnSync('npm', ['pack', './create', '--dry-run', '--json'], {
    cwd: ROOT,
    env: ENVIRONMENT,
    encoding: 'utf8',
    shell,
  });
  const [{ files }] = JSON.parse(stdout);
  const packed = files.map(({ path }: { path: string }) => `create/${path}`);
  assert.deepEqual(
    packed.sort(),
    listFiles('create')
      .filter((file) => !/^create\/[^/]+\.test\.ts$/.test(file))
      .sort(),
  );
});
