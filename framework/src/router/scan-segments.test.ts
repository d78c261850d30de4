import assert from 'node:assert/strict';
import test from 'node:test';
import { ends, hashes, hashText, mix, scanSegments, seen, startOf } from './scan-segments.ts';

function scan(path: string, most = 4) {
  const count = scanSegments(path, most);
  return { count, ends: [...ends.subarray(0, count)], hashes: [...hashes.subarray(0, count)] };
}

test('each segment has its end and the hash of its text', () => {
  const { ends, hashes } = scan('/items/7/é');
  assert.deepEqual(ends, [6, 8, 10]);
  assert.deepEqual(hashes, ['items', '7', 'é'].map(hashText));
});

test('an empty segment is a segment', () => {
  assert.deepEqual(scan('/').ends, [1]);
  assert.deepEqual(scan('//a/').ends, [1, 3, 4]);
  assert.deepEqual([0, 1, 2].map(startOf), [1, 2, 4]);
});

test('a path with more segments than any pattern has is given up, and so is what is no path', () => {
  assert.equal(scan('/a/b/c/d').count, 4);
  assert.equal(scan('/a/b/c/d/').count, 0);
  assert.equal(scan('/'.repeat(4000)).count, 0);
  for (const path of ['', '*', 'a/b']) assert.equal(scan(path).count, 0);
  assert.equal(scan('/', 0).count, 0);
});

test('a percent sign is noticed, and forgotten with the next path', () => {
  scan('/a%2Fb');
  assert.equal(seen.escape, true);
  scan('/a');
  assert.equal(seen.escape, false);
});

test('an empty segment is noticed wherever it stands, and forgotten with the next path', () => {
  for (const path of ['/', '//a', '/a//b', '/a/']) {
    scan(path);
    assert.equal(seen.empty, true, path);
    scan('/a/b');
    assert.equal(seen.empty, false);
  }
});

test('a mixed hash depends on the order', () => {
  const [a, b] = [hashText('a'), hashText('b')];
  assert.notEqual(mix(mix(0, a), b), mix(mix(0, b), a));
});
