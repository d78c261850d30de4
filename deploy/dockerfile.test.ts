/**
 * Tests the Dockerfile without a container engine: lays out the copied files in a folder beside the installed
 * packages, and runs the commands of both stages there.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { bodyText, createVisitor } from 'seeother/testing';
import { BARE_ENVIRONMENT } from '../application/testing/bare-environment.ts';
import { createTestFolder } from '../application/testing/open-test-database.ts';
import { findFreePort } from '../application/testing/postgres/find-free-port.ts';
import { reachInstance } from '../application/testing/reach-instance.ts';
import { ROOT, readText } from '../scripts/project-files.ts';
import { findFlaws } from '../scripts/sbom.ts';
import { ORIGIN } from './ask-proxy.ts';
import { importInPages } from './import-in-pages.ts';

interface Package {
  /** Of a workspace: its folder. */
  readonly link?: boolean;
  readonly resolved?: string;
}

const DOCKERFILE = readText('deploy/Dockerfile');
const IGNORED = new Set(readText('deploy/Dockerfile.dockerignore').trim().split('\n'));
const START = commandAfter(/^CMD (.+)$/m);
const CHECK = commandAfter(/^HEALTHCHECK .+\\\n +CMD (.+)$/m);

function commandAfter(instruction: RegExp): readonly string[] {
  return JSON.parse(instruction.exec(DOCKERFILE)?.[1] ?? '[]') as string[];
}

/** The source and target of each COPY from the project; a folder ends in a slash. */
const copies = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.+) (\S+)$/gm)].flatMap(
  ([, sources = '', to = '']) => sources.split(' ').map((from) => ({ from, to })),
);

test('every file that the image copies exists and is not ignored', () => {
  assert.ok(copies.length > 5);
  const missing = copies.filter(
    ({ from }) => !existsSync(join(ROOT, from)) || IGNORED.has(from.split('/')[0] ?? ''),
  );
  assert.deepEqual(missing, []);
});

test('the image has no history of the sources, and no test', () => {
  assert.ok(['.git', 'e2e', 'storage'].every((name) => IGNORED.has(name)));
  const whole = copies.filter(({ from }) => /^[./]*$/.test(from));
  assert.deepEqual(whole, [], 'a COPY of the whole folder would take what is hidden');
  // The second stage has what the bundle wrote, and nothing of the sources.
  const [, last = ''] = DOCKERFILE.split(/^FROM .+$(?![\s\S]*^FROM )/m);
  const taken = [...last.matchAll(/^COPY (.+)$/gm)].map(([, words]) => words);
  assert.deepEqual(taken, ['--from=bundle /build/dist/application ./']);
});

test('the image has all that the service needs, compiled, and its check says whether it is ready', async (t) => {
  const build = layOut(t);
  const command = /^RUN npm run (bundle)$/m.exec(DOCKERFILE)?.[1] ?? '';
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  const [, ...words] = scripts[command]?.split(' ') ?? [];
  execFileSync(process.execPath, words, { cwd: build, env: { ...BARE_ENVIRONMENT } });
  const [, from = ''] = /^COPY --from=bundle \/build\/(\S+) \.\/$/m.exec(DOCKERFILE) ?? [];
  const app = join(createTestFolder(t), 'app');
  cpSync(join(build, from), app, { recursive: true });

  assert.equal(await findFlaws(app), null);
  const port = String(await findFreePort());
  const cache = join(app, 'compiled');
  const environment = {
    ...BARE_ENVIRONMENT,
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: cache,
    PORT: port,
  };
  const compile = (/^RUN (ALLOW_HTTP=1 .+)$/m.exec(DOCKERFILE)?.[1] ?? '')
    .replaceAll(/\/(app|tmp)\//g, `${app}/`)
    .replace(' node ', ` ${process.execPath} `);
  execFileSync('/bin/sh', ['-c', compile], { cwd: app, env: environment, stdio: 'ignore' });
  const [version = ''] = readdirSync(cache);
  assert.ok(readdirSync(join(cache, version)).length > 10);

  const run = ([, ...args]: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    spawn(process.execPath, args, {
      cwd: app,
      env: { ...environment, ...more },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  const data = createTestFolder(t);
  const settings = Object.fromEntries(
    [...DOCKERFILE.matchAll(/(\w+)=(\S*\/data\/\S+)/g)].map(([, name = '', value = '']) => [
      name,
      value.replace('/data/', `${data}/`),
    ]),
  );
  const service = run(START, { ...settings, PUBLIC_ORIGIN: ORIGIN, TRUST_PROXY: '127.0.0.1' });
  t.after(() => service.kill('SIGKILL'));
  const [line] = await once(service.stderr.setEncoding('utf8'), 'data');
  assert.match(String(line), new RegExp(` Listening on http://127\\.0\\.0\\.1:${port}\n$`));
  assert.deepEqual(await once(run(CHECK), 'exit'), [0, null]);
  const headers = { host: 'things.example', 'x-forwarded-proto': 'https', origin: ORIGIN };
  const visitor = createVisitor(
    reachInstance(() => `http://127.0.0.1:${port}`),
    { headers },
  );
  const password = 'correct horse battery';
  await visitor.submit('/register', { username: 'ada', password, passwordagain: password });
  await importInPages(visitor, 'name\nDrill\n');
  assert.match(bodyText(await visitor.get('/items')), />Drill</);
  assert.deepEqual(readdirSync(app).includes('storage'), false, 'the container is read-only');
  assert.deepEqual(readdirSync(data), [
    ...['application.db', 'application.db-shm', 'application.db-wal', 'files'],
  ]);
  service.kill('SIGTERM');
  await once(service, 'exit');
  assert.deepEqual(await once(run(CHECK), 'exit'), [1, null]);
});

/** The folder after `npm ci` and the copies. */
function layOut(t: TestContext): string {
  const folder = createTestFolder(t);
  for (const { from, to } of copies) {
    const target = join(folder, to.endsWith('/') ? join(to, from.split('/').at(-1) ?? '') : to);
    cpSync(join(ROOT, from), target, { recursive: true });
  }
  const lock = JSON.parse(readText('package-lock.json')) as { packages: Record<string, Package> };
  for (const [path, { link, resolved = '' }] of Object.entries(lock.packages)) {
    if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(link ? join(folder, resolved) : join(ROOT, path), join(folder, path), 'junction');
  }
  return folder;
}
