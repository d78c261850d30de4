import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { closeSync, openSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { createTestFolder } from '../testing/test-folder.ts';
import { createLineWriter, writeLastLine } from './line-writer.ts';

const MODULE = JSON.stringify(new URL('./line-writer.ts', import.meta.url).href);
/** Milliseconds that no test waits for. */
const LONG = 60_000;

/** Runs the script in a process whose standard output is a pipe to this one. */
function run(t: test.TestContext, script: string): ChildProcess {
  const source = `import { createLineWriter } from ${MODULE};\n${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

async function readAll(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += chunk;
  return text;
}

/** An empty file, opened to write; `read` gives what it holds. */
function openFile(t: test.TestContext) {
  const path = join(createTestFolder(t), 'log');
  const descriptor = openSync(path, 'a');
  t.after(() => closeSync(descriptor));
  return { descriptor, read: () => readFileSync(path, 'utf8') };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

test('lines arrive in a file in order, each with its end', async (t) => {
  const { descriptor, read } = openFile(t);
  const writer = createLineWriter(descriptor);
  for (const line of numbered(1_000)) writer.write(line);
  await new Promise((resolve) => setImmediate(resolve));
  writer.write('größer 💡');
  await writer.close(LONG);
  assert.equal(read(), `${[...numbered(1_000), 'größer 💡'].join('\n')}\n`);
});

test('lines arrive in a pipe in order', async (t) => {
  const child = run(
    t,
    `const writer = createLineWriter(1, { limit: 10_000_000 });
     for (let count = 0; count < 100_000; count++) writer.write('line ' + count);
     await writer.close(${LONG});`,
  );
  assert.equal(await readAll(child.stdout), `${numbered(100_000).join('\n')}\n`);
});

test('lines leave by themselves, without the writer being closed', async (t) => {
  const child = run(
    t,
    `const writer = createLineWriter(1);
     writer.write('first');
     setTimeout(() => writer.write('second'), 1);`,
  );
  assert.equal(await readAll(child.stdout), 'first\nsecond\n');
});

test('a single line is written at once; lines that follow soon are batched', {
  timeout: LONG,
}, async (t) => {
  const { descriptor, read } = openFile(t);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const write = t.mock.method(fs, 'write');
  syncBuiltinESMExports();
  t.after(() => {
    write.mock.restore();
    syncBuiltinESMExports();
  });
  const writer = createLineWriter(descriptor);
  writer.write('alone');
  for (const line of numbered(5)) {
    await new Promise((resolve) => setImmediate(resolve));
    writer.write(line);
  }
  assert.equal(write.mock.callCount(), 1);
  t.mock.timers.tick(10);
  while (write.mock.callCount() < 2) await new Promise((resolve) => setImmediate(resolve));
  await writer.close(LONG);
  assert.equal(write.mock.callCount(), 2);
  assert.equal(read(), ['alone', ...numbered(5), ''].join('\n'));
});

test('closing a writer without lines resolves at once', async (t) => {
  const { descriptor, read } = openFile(t);
  await createLineWriter(descriptor).close(LONG);
  assert.equal(read(), '');
});

test('a stalled reader delays neither the process nor its end', async (t) => {
  const child = run(
    t,
    `const writer = createLineWriter(1, { limit: 1_000_000 });
     for (let turn = 0; turn < 20; turn++) {
       for (let count = 0; count < 1_000; count++) writer.write('x'.repeat(999));
       await new Promise((resolve) => setImmediate(resolve));
     }
     await writer.close(20);
     process.stderr.write('still here');
     process.exit(7);`,
  );
  const [[exitCode], told] = await Promise.all([once(child, 'exit'), readAll(child.stderr)]);
  assert.equal(told, 'still here');
  assert.equal(exitCode, 7);
});

test('lines beyond the limit are dropped, and counted once lines can be written again', async (t) => {
  const child = run(
    t,
    `const writer = createLineWriter(1, {
       limit: 1_000_000,
       onDropped: (count) => process.stderr.write('dropped ' + count),
     });
     // More than the buffers on the way hold, so that it is on its way until somebody reads.
     writer.write('x'.repeat(900_000));
     await new Promise((resolve) => setImmediate(resolve));
     for (let count = 0; count < 2_000; count++) writer.write('z'.repeat(999));
     process.stderr.write('full. ');
     process.stdin.once('data', async () => {
       await writer.close(${LONG});
       process.exit();
     });`,
  );
  const [full] = await once(child.stderr as NodeJS.ReadableStream, 'data');
  assert.equal(String(full), 'full. ');
  child.stdin?.end('go on');
  const [written, told] = await Promise.all([readAll(child.stdout), readAll(child.stderr)]);
  const lines = written.split('\n').slice(0, -1);
  const kept = lines.filter((line) => line === 'z'.repeat(999)).length;
  assert.ok(kept > 0 && kept <= 1_000);
  assert.equal(told, `dropped ${2_000 - kept}`);
});

test('a reader that has gone away is not an error', async (t) => {
  const child = run(
    t,
    `const writer = createLineWriter(1);
     process.stdin.once('data', async () => {
       for (let turn = 0; turn < 3; turn++) {
         writer.write('nobody reads this');
         await new Promise((resolve) => setTimeout(resolve, 5));
       }
       await writer.close(${LONG});
       process.stderr.write('still here');
       process.exit(7);
     });`,
  );
  child.stdout?.destroy();
  child.stdin?.end('go on');
  const [[exitCode], told] = await Promise.all([once(child, 'exit'), readAll(child.stderr)]);
  assert.equal(told, 'still here');
  assert.equal(exitCode, 7);
});

test('a last line is written at once', (t) => {
  const { descriptor, read } = openFile(t);
  writeLastLine(descriptor, 'Cannot go on.');
  assert.equal(read(), 'Cannot go on.\n');
});

test('a last line without a reader is not an error', (t) => {
  const { descriptor, read } = openFile(t);
  const readOnly = openSync(process.execPath, 'r');
  t.after(() => closeSync(readOnly));
  writeLastLine(readOnly, 'Cannot go on.');
  writeLastLine(descriptor, 'The process lives.');
  assert.equal(read(), 'The process lives.\n');
});

test('processes that share a pipe do not mix their lines', async (t) => {
  // Each writes on once the pipe has room again, until all have started.
  const writing = `import { createLineWriter } from ${MODULE};
    const writer = createLineWriter(1, { limit: 100_000_000 });
    process.once('message', async () => {
      for (let count = 0; count < 3_000; count++) writer.write(process.argv[1].repeat(700));
      await writer.close(${LONG});
      process.disconnect();
    });
    process.send('started');`;
  const child = run(
    t,
    `import { spawn } from 'node:child_process';
     import { once } from 'node:events';
     const writers = ['a', 'b', 'c'].map((letter) => {
       const args = ['--input-type=module', '--eval', ${JSON.stringify(writing)}, letter];
       return spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
     });
     await Promise.all(writers.map((writer) => once(writer, 'message')));
     for (const writer of writers) writer.send('write');`,
  );
  const lines = (await readAll(child.stdout)).trimEnd().split('\n');
  assert.equal(lines.length, 9_000);
  assert.deepEqual(lines.filter((line) => !/^(a{700}|b{700}|c{700})$/.test(line)).length, 0);
});
