/**
 * Compiles the mistakes of the guide and their corrections, and compares what the compiler says; runs them,
 * and compares the errors.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Context, Router } from 'seeother';
import { get, post } from 'seeother/testing';
import { ROOT, readText } from './project-files.ts';

/** A separate project outside the repository, with the strict settings of a new project. */
const FOLDER = mkdtempSync(join(tmpdir(), 'seeother-mistakes-'));
const SETTINGS = {
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024', 'esnext.collection', 'esnext.disposable', 'esnext.iterator'],
  types: ['node'],
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
};

const guide = readText('docs/guides/mistakes.md');
const [introduction = '', ...sections] = guide.split(/^## /m);
const MISTAKE =
  /^```ts mistake\n([\s\S]*?)^\/\/ Error: (.*)\n(?:\/\/ At run time: (.*)\n)?\/\/ Write:\n([\s\S]*?)^```/m;
const mistakes = sections.map((section, index) => {
  const found = MISTAKE.exec(section) ?? assert.fail(`no mistake in: ${section}`);
  const [, wrong, sentence = '', atRunTime, right] = found;
  return { name: /^.*/.exec(section)?.[0] ?? '', wrong, sentence, atRunTime, right, index };
});

/** Collects the routers that a mistake creates. */
const COLLECT = `export const routers = [];
function createRouter() {
  routers.push(createPlainRouter());
  return routers.at(-1);
}
`;
const RENAMED = ' createRouter as createPlainRouter,';

const toRun = (index: number) => join(FOLDER, 'run', `${index}.ts`);

/** The compiler's messages, by the name of the file without its extension. */
let messages: ReadonlyMap<string, readonly string[]>;

before(() => {
  const definitions = /^```ts\n([\s\S]*?)^```/m.exec(introduction)?.[1] ?? '';
  for (const folder of ['node_modules', 'run']) mkdirSync(join(FOLDER, folder));
  symlinkSync(join(ROOT, 'framework'), join(FOLDER, 'node_modules', 'seeother'), 'junction');
  symlinkSync(
    join(ROOT, 'node_modules', '@types'),
    join(FOLDER, 'node_modules', '@types'),
    'junction',
  );
  writeFileSync(join(FOLDER, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(FOLDER, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: SETTINGS, include: ['*.ts'] }),
  );
  for (const { wrong, right, index } of mistakes) {
    writeFileSync(join(FOLDER, `wrong-${index}.ts`), definitions + wrong);
    writeFileSync(join(FOLDER, `right-${index}.ts`), definitions + right);
    writeFileSync(toRun(index), COLLECT + definitions.replace(' createRouter,', RENAMED) + wrong);
  }
  messages = compile();
});

after(() => rmSync(FOLDER, { recursive: true }));

function compile(): ReadonlyMap<string, readonly string[]> {
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = spawnSync(
    process.execPath,
    [compiler, '--project', FOLDER, '--pretty', 'false'],
    {
      encoding: 'utf8',
      cwd: FOLDER,
    },
  );
  // A message starts with its file; the lines that explain it are indented.
  return Map.groupBy(stdout.trimEnd().split(/\n(?! )/), (message) =>
    String(/^[\w-]+(?=\.ts\()/.exec(message)),
  );
}

/** Runs a mistake and sends a request to each route, and one to none. Rejects with the first error. */
async function run(index: number): Promise<void> {
  const { routers } = (await import(pathToFileURL(toRun(index)).href)) as {
    routers: readonly Router<Context>[];
  };
  for (const router of routers) {
    await router.handle(get('/nowhere'));
    for (const { method, pattern } of router.routes) {
      const path = pattern.replace(/:number(<int>)?/, '7');
      await router.handle(method === 'GET' ? get(path) : post(path, {}));
    }
  }
}

test('the compiler reports the mistakes of the guide and nothing else', () => {
  assert.ok(mistakes.length >= 15, `only ${mistakes.length} mistakes were found`);
  const other = [...messages].filter(([file]) => !/^(wrong|right)-/.test(file));
  assert.deepEqual(other, []);
});

for (const { name, sentence, atRunTime, index } of mistakes) {
  test(`the compiler says what to do: ${name}`, () => {
    const found = messages.get(`wrong-${index}`) ?? [];
    assert.equal(found.length, 1, `one message is expected:\n${found.join('\n')}`);
    const lines = found[0]?.split('\n') ?? [];
    const said = [lines[0], lines.at(-1)].some((line) => line?.includes(sentence));
    assert.ok(said, `the first or the last line must say: ${sentence}\n${found[0]}`);
  });

  if (atRunTime !== undefined) {
    test(`an error at run time says what to do: ${name}`, async () => {
      await assert.rejects(run(index), ({ message }: Error) => {
        assert.ok(message.includes(atRunTime), message);
        return true;
      });
    });
  }

  test(`the correction compiles: ${name}`, () => {
    assert.deepEqual(messages.get(`right-${index}`) ?? [], []);
  });
}
