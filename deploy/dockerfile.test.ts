/**
 * Tests the Dockerfile without a container engine: lays out the copied files in a folder next to the
 * installed packages, and runs the commands of the image there.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { BARE_ENVIRONMENT } from '../application/testing/bare-environment.ts';
import { createTestFolder } from '../application/testing/open-test-database.ts';
import { ROOT, readText } from '../scripts/project-files.ts';
import { ORIGIN } from './ask-proxy.ts';

interface Package {
  readonly dev?: boolean;
  readonly optional?: boolean;
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

/** The source and target of each COPY; a folder ends in a slash. */
const copies = [...DOCKERFILE.matchAll(/^COPY (.+) (\S+)$/gm)].flatMap(
  ([, sources = '', to = '']) => sources.split(' ').map((from) => ({ from, to })),
);

test('every file that the image copies exists and is not ignored', () => {
  assert.ok(copies.length > 5);
  const missing = copies.filter(
    ({ from }) => !existsSync(join(ROOT, from)) || IGNORED.has(from.split('/')[0] ?? ''),
  );
  assert.deepEqual(missing, []);
});

test('the image is made and started by the two commands of the README', () => {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: { start: string } };
  assert.match(readText('README.md'), /^npm ci && npm start$/m);
  assert.match(DOCKERFILE, /^RUN npm ci /m);
  assert.deepEqual(START, ['node', scripts.start.split(' ').at(-1)]);
});

test('the image has all that the service needs, and its check says whether it is ready', async (t) => {
  const folder = layOut(t);
  const run = ([, ...args]: readonly string[], environment: Readonly<Record<string, string>>) =>
    spawn(process.execPath, args, {
      cwd: folder,
      env: { ...BARE_ENVIRONMENT, NODE_ENV: 'production', ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  const database = `sqlite:${join(folder, 'application.db')}`;
  const service = run(START, { PORT: '0', DATABASE_URL: database, PUBLIC_ORIGIN: ORIGIN });
  t.after(() => service.kill('SIGKILL'));
  const [line] = await once(service.stderr.setEncoding('utf8'), 'data');
  const PORT = / Listening on http:\/\/127\.0\.0\.1:(\d+)\n$/.exec(String(line))?.[1] ?? '';
  assert.notEqual(PORT, '', String(line));
  assert.deepEqual(await once(run(CHECK, { PORT }), 'exit'), [0, null]);
  service.kill('SIGTERM');
  await once(service, 'exit');
  assert.deepEqual(await once(run(CHECK, { PORT }), 'exit'), [1, null]);
});

/** The folder after `npm ci --omit=dev --omit=optional` and the copies. */
function layOut(t: TestContext): string {
  const folder = createTestFolder(t);
  for (const { from, to } of copies) {
    const target = join(folder, to.endsWith('/') ? join(to, from.split('/').at(-1) ?? '') : to);
    cpSync(join(ROOT, from), target, { recursive: true });
  }
  const lock = JSON.parse(readText('package-lock.json')) as { packages: Record<string, Package> };
  for (const [path, { dev, optional, link, resolved = '' }] of Object.entries(lock.packages)) {
    if (dev || optional || !path.startsWith('node_modules/')) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(link ? join(folder, resolved) : join(ROOT, path), join(folder, path), 'junction');
  }
  return folder;
}
