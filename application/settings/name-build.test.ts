import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { createTestFolder } from '../testing/open-test-database.ts';
import { digestSources, nameBuild } from './name-build.ts';

test('the same sources have the same build id in any folder', (t) => {
  const copies = createTestFolder(t);
  const folder = join(import.meta.dirname, '..', 'site');
  cpSync(folder, join(copies, 'site'), { recursive: true });
  assert.equal(digestSources([join(copies, 'site')]), digestSources([folder]));
});

test('a change of a source, its path or its folder changes the build id; tests do not count', (t) => {
  const folder = createTestFolder(t);
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  mkdirSync(join(folder, 'views'));
  write('a.ts', 'one');
  const names = [digestSources([folder])];
  const note = () => names.push(digestSources([folder]));
  write('a.ts', 'two');
  note();
  write('views/b.ts', 'three');
  note();
  write('c.ts', 'three');
  note();
  assert.equal(new Set(names).size, names.length);
  write('a.test.ts', 'four');
  write('notes.md', 'five');
  assert.equal(digestSources([folder]), names.at(-1));
});

test('the build id covers the sources of the application and the framework', () => {
  const root = join(import.meta.dirname, '..', '..');
  const folders = [join(root, 'application'), join(root, 'framework')];
  assert.equal(nameBuild(), digestSources(folders));
  assert.match(nameBuild(), /^[A-Za-z0-9_-]{22}$/);
});
