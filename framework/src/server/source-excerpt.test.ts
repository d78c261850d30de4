import assert from 'node:assert/strict';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { createTestFolder } from '../testing/test-folder.ts';
import { excerptOf } from './source-excerpt.ts';

const HERE = import.meta.filename;
const FRAME = `\n    at evil (${HERE}:1:1)`;

/** A folder with files. */
function createFolder(t: TestContext, files: readonly string[]): string {
  const folder = createTestFolder(t);
  for (const file of files) writeFileSync(join(folder, file), 'first line\nsecond line\n');
  return folder;
}

function withFrames(...places: readonly string[]): Error {
  const stack = ['Error: Broken', ...places.map((place) => `    at f (${place}:2:1)`)].join('\n');
  return Object.assign(new Error('Broken'), { stack });
}

function throwNamed<E extends Error>(type: new (message: string) => E, message: string): E {
  try {
    throw new type(message);
  } catch (error) {
    return error as E;
  }
}

class Late extends Error {
  // The stack begins with the name that an error has before its fields are set.
  override readonly name = 'Late';
}

test('the excerpt is of the first file below the folder, at the line that threw', (t) => {
  const folder = createFolder(t, ['page.ts']);
  const excerpt = excerptOf(withFrames(join(folder, 'page.ts')), folder);
  assert.equal(excerpt?.place, `${join(folder, 'page.ts')}:2:1`);
  assert.equal(excerpt.lines.find(({ number }) => number === excerpt.broken)?.text, 'second line');
  for (const type of [Error, TypeError, Late]) {
    const thrown = excerptOf(throwNamed(type, 'Broken'), import.meta.dirname);
    assert.match(JSON.stringify(thrown), /throw new type\(message\)/, type.name);
  }
});

test('F22: a message is never read as a stack', () => {
  for (const message of [FRAME, `Broken${FRAME}`, `${FRAME}${FRAME}\n`, `Error: ${FRAME}`]) {
    for (const type of [Error, RangeError, Late]) {
      const excerpt = excerptOf(throwNamed(type, message), import.meta.dirname);
      assert.match(JSON.stringify(excerpt), /throw new type\(message\)/, message);
      assert.doesNotMatch(excerpt?.place ?? '', /:1:1$/);
    }
    // Without the message of its beginning, a stack does not say where its frames begin.
    for (const later of ['Changed later', '']) {
      const changed = throwNamed(Error, message);
      // The first read makes the text of the stack.
      assert.match(String(changed.stack), /evil/);
      changed.message = later;
      assert.equal(excerptOf(changed, import.meta.dirname), null);
    }
  }
});

test('F22: only source below the folder is shown, wherever a link or a path leads', (t) => {
  const folder = createFolder(t, ['page.ts', '.env', 'secret', 'data.json']);
  const outside = createFolder(t, ['page.ts']);
  symlinkSync(join(outside, 'page.ts'), join(folder, 'link.ts'));
  const hidden = [
    '/etc/passwd',
    join(outside, 'page.ts'),
    join(folder, 'link.ts'),
    `${folder}/../${outside.slice(outside.lastIndexOf('/') + 1)}/page.ts`,
    `${folder}-other/page.ts`,
    ...['.env', 'secret', 'data.json', 'missing.ts'].map((name) => join(folder, name)),
  ];
  for (const place of hidden) {
    assert.equal(excerptOf(withFrames(place), folder), null, place);
    const next = excerptOf(withFrames(place, join(folder, 'page.ts')), folder);
    assert.equal(next?.place, `${join(folder, 'page.ts')}:2:1`, place);
  }
});

test('a folder that is a link shows the source that it leads to', (t) => {
  const folder = createFolder(t, ['page.ts']);
  const link = `${folder}-link`;
  symlinkSync(folder, link);
  t.after(() => rmSync(link));
  assert.notEqual(excerptOf(withFrames(join(folder, 'page.ts')), link), null);
});
