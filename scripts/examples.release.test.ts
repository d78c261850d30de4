/**
 * Compiles and runs every TypeScript example in a document, against the package as it is published. One process
 * imports those that end, one after the other, because most of the work is to load the package.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readExamples, runExample } from './document-examples.ts';
import { packFramework } from './pack-framework.ts';
import { ROOT } from './project-files.ts';

/** A separate project outside the repository. */
const FOLDER = mkdtempSync(join(tmpdir(), 'seeother-examples-'));
/** The packages that examples import besides the framework, and the declarations of Node. */
const PACKAGES = [
  '@opentelemetry',
  'zod',
  'valibot',
  '@types',
  '@fastify',
  'croner',
  'otpauth',
  'qr',
  '@simplewebauthn',
  'openid-client',
  'jose',
  'nodemailer',
  'smtp-server',
  '@aws-sdk',
  'fauxqs',
  'libphonenumber-js',
  'pdfkit',
];
const SETTINGS = {
  module: 'nodenext',
  target: 'es2024',
  types: ['node'],
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitReturns: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  // package.test.ts checks those of the package.
  skipLibCheck: true,
};

/** It runs while the examples do. */
let compilation: ReturnType<typeof compile> | undefined;

const examples = readExamples().map(({ name, ...example }) => ({
  ...example,
  file: join(FOLDER, `${name}.ts`),
}));

before(() => {
  packFramework(join(FOLDER, 'node_modules/seeother'));
  for (const name of PACKAGES)
    symlinkSync(join(ROOT, 'node_modules', name), join(FOLDER, 'node_modules', name), 'junction');
  writeFileSync(join(FOLDER, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(FOLDER, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: SETTINGS, include: ['*.ts'] }),
  );
  for (const { file, source } of examples) writeFileSync(file, source);
  compilation = compile();
});

async function compile() {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const child = spawn(process.execPath, [compiler, '--project', FOLDER]);
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code, output };
}

after(() => rmSync(FOLDER, { recursive: true }));

const [serving, ending] = [true, false].map((serves) =>
  examples.filter(({ source }) => source.includes('Listening on') === serves),
) as [typeof examples, typeof examples];

for (const { document, file } of serving) {
  test(`an example of ${document} serves`, async () => {
    const { isPassed, output } = await runExample(process.execPath, [file], FOLDER);
    assert.ok(isPassed, output);
  });
}

test('every example that does not serve runs to its end', async () => {
  const program = join(FOLDER, 'all.mjs');
  const files = ending.map(({ file }) => pathToFileURL(file).href);
  writeFileSync(
    program,
    `for (const file of ${JSON.stringify(files)}) {
      try {
        await import(file);
      } catch (error) {
        console.error(file, error);
        process.exitCode = 1;
      }
    }
    // What has failed may have left a server open.
    if (process.exitCode === 1) process.exit();`,
  );
  const { isPassed, output } = await runExample(process.execPath, [program], FOLDER);
  assert.ok(isPassed, output);
});

test('the form of the README counts once', () => {
  const first = examples.find(({ document }) => document === 'README.md');
  const code = `
    import { site } from ${JSON.stringify(pathToFileURL(first?.file ?? ''))};
    import { bodyText, get, post } from 'seeother/testing';
    const read = async () => bodyText(await site.handle(get('/notes')));
    const [, key] = /name="_once" value="([^"]+)"/.exec(await read());
    const send = () => site.handle(post('/notes', { note: 'milk', _once: key }));
    const answers = [await send(), await send()];
    const notes = (await read()).match(/<li>milk/g);
    console.error(answers.map(({ status }) => status).join(' '), notes.length);`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  assert.equal(stderr, '303 303 1\n');
});

test('every example compiles', async () => {
  assert.deepEqual(await compilation, { code: 0, output: '' });
});
