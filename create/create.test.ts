import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { hiddenFields } from 'seeother/testing';
import { createBarePostgresDatabase } from '../application/testing/postgres/cluster.ts';
import { skipWithoutPrograms } from '../application/testing/postgres/find-programs.ts';
import { listFiles, ROOT, readText } from '../scripts/project-files.ts';
import {
  create,
  createProject,
  ENVIRONMENT,
  FOLDER,
  readPackage,
  runTests,
  startProject,
  waitLonger,
} from './made-project.ts';
import { VERSIONS } from './project.js';
import { toPackages, WAY_NAMES } from './sign-in.js';

function assertRefused(args: readonly string[], message: string): void {
  const { status, stdout, stderr } = create([...args, '--no-install']);
  assert.deepEqual({ status, stdout, stderr }, { status: 1, stdout: '', stderr: `${message}\n` });
}

/** Starts the project, sends the form of the first page twice at once, and stops. */
async function sendTwice(cwd: string, environment = {}): Promise<void> {
  const { url, stop } = await startProject(cwd, environment);
  try {
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
    await stop();
  }
}

test('a project passes its tests and counts a form that is sent twice once', async () => {
  const project = createProject('sqlite');
  assert.equal(readPackage(project).name, 'sqlite');
  assert.deepEqual(readdirSync(project, { recursive: true }).sort(), [
    '.gitignore',
    'AGENTS.md',
    'database.ts',
    'layout.ts',
    'main.ts',
    'notes.test.ts',
    'notes.ts',
    'open-database.ts',
    'package.json',
    'prepare.cjs',
    'public',
    join('public', 'styles.css'),
    'router.ts',
    'tsconfig.json',
  ]);
  runTests(project, 3);
  await sendTwice(project);
});

test('a project with PostgreSQL does the same', { skip: skipWithoutPrograms() }, async (t) => {
  const project = createProject('postgres', '--database', 'postgres');
  assert.ok(existsSync(join(project, '.env')));
  waitLonger(project);
  const tested = await createBarePostgresDatabase();
  t.after(tested.drop);
  runTests(project, 3, { TEST_DATABASE_URL: tested.url });
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
    ['x', '--template', 'blog'],
    'Cannot use the template "blog": choose form or app or crud.',
  );
  assertRefused(
    ['x', '--sign-in', 'link, fingerprint'],
    'Cannot use the way of signing in "fingerprint": choose password or link or codes or passkeys or company, or several with commas between them.',
  );
  assertRefused(
    ['x', '--template', 'form', '--sign-in', 'link'],
    'Cannot use --sign-in with the template "form": only app has accounts.',
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
  assert.match(stdout, /^Created 13 files in seeother-site\.\n/);
  assert.deepEqual(Object.keys(readPackage(join(FOLDER, 'seeother-site')).dependencies), [
    'seeother',
  ]);
});

test('the commands are those of the package manager that started it', () => {
  const agents = {
    'npm/11.4.2 node/v26.10.0 linux x64 workspaces/false': ['npm install', 'npm start'],
    'pnpm/10.12.1 npm/? node/v26.10.0 linux x64': ['pnpm install', 'pnpm start'],
    'yarn/4.9.2 npm/? node/v26.10.0 linux x64': ['yarn install', 'yarn start'],
    'bun/1.4.5 npm/? node/v26.10.0 linux x64': ['bun install', 'bun run start'],
  };
  for (const [agent, commands] of Object.entries(agents)) {
    const name = agent.slice(0, agent.indexOf('/'));
    const { stdout } = create([`with-${name}`, '--no-install'], {
      ...ENVIRONMENT,
      npm_config_user_agent: agent,
    });
    const steps = [`cd with-${name}`, ...commands].map((step) => `  ${step}\n`).join('');
    assert.equal(stdout, `Created 13 files in with-${name}.\n\nNext:\n${steps}`);
  }
});

test('--help lists every option', () => {
  const { status, stdout } = create(['--help']);
  assert.equal(status, 0);
  for (const option of [
    '--template',
    '--database',
    '--sign-in',
    '--no-install',
    '--no-git',
    '--seeother',
    '--yes',
  ])
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

test('--seeother with the path of a file that does not exist creates nothing', () => {
  for (const path of ['nope.tgz', './nope', '../dist/nope.tar.gz']) {
    assertRefused(
      ['nowhere', '--seeother', path],
      `Cannot use ${JSON.stringify(path)} as seeother: there is no such file in ${FOLDER}. Name a packed file or a version.`,
    );
  }
  assert.ok(!existsSync(join(FOLDER, 'nowhere')));
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
  const { dependencies } = JSON.parse(readText('application/package.json'));
  const known = { ...framework.peerDependencies, nodemailer: `^${dependencies.nodemailer}` };
  for (const [name, range] of Object.entries(toPackages(WAY_NAMES)))
    assert.equal(range, known[name], name);
});

test('the package has every file of the templates', () => {
  const { stdout } = spawnSync('npm', ['pack', './create', '--dry-run', '--json'], {
    cwd: ROOT,
    env: ENVIRONMENT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const [{ files }] = JSON.parse(stdout);
  const packed = files.map(({ path }: { path: string }) => `create/${path}`);
  assert.deepEqual(
    packed.sort(),
    listFiles('create')
      .filter((file) => !/^create\/[^/]+\.ts$/.test(file))
      .sort(),
  );
});
