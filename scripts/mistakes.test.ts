/** Compiles the mistakes of the guide and their corrections, and compares what the compiler says. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
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
const mistakes = sections.map((section, index) => {
  const found = /^```ts mistake\n([\s\S]*?)^\/\/ Error: (.*)\n\/\/ Write:\n([\s\S]*?)^```/m.exec(
    section,
  );
  const [, wrong, sentence, right] = found ?? assert.fail(`no mistake in: ${section}`);
  return { name: /^.*/.exec(section)?.[0] ?? '', wrong, sentence: sentence ?? '', right, index };
});

/** The compiler's messages, by the name of the file without its extension. */
let messages: ReadonlyMap<string, readonly string[]>;

before(() => {
  const definitions = /^```ts\n([\s\S]*?)^```/m.exec(introduction)?.[1] ?? '';
  mkdirSync(join(FOLDER, 'node_modules'));
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

test('the compiler reports the mistakes of the guide and nothing else', () => {
  assert.ok(mistakes.length >= 15, `only ${mistakes.length} mistakes were found`);
  const other = [...messages].filter(([file]) => !/^(wrong|right)-/.test(file));
  assert.deepEqual(other, []);
});

for (const { name, sentence, index } of mistakes) {
  test(`the compiler says what to do: ${name}`, () => {
    const found = messages.get(`wrong-${index}`) ?? [];
    assert.equal(found.length, 1, `one message is expected:\n${found.join('\n')}`);
    const lines = found[0]?.split('\n') ?? [];
    const said = [lines[0], lines.at(-1)].some((line) => line?.includes(sentence));
    assert.ok(said, `the first or the last line must say: ${sentence}\n${found[0]}`);
  });

  test(`the correction compiles: ${name}`, () => {
    assert.deepEqual(messages.get(`right-${index}`) ?? [], []);
  });
}
