import assert from 'node:assert/strict';
import test from 'node:test';
import { PHOTOS } from '../testing/photos.ts';
import { readPictureHead } from './picture-head.ts';

test('the format and size of a picture are read from its beginning', () => {
  const size = { width: 64, height: 48 };
  assert.deepEqual(readPictureHead(PHOTOS.jpeg), { format: 'jpeg', size, isAnimated: false });
  assert.deepEqual(readPictureHead(PHOTOS.png), { format: 'png', size, isAnimated: false });
  assert.deepEqual(readPictureHead(PHOTOS.webp), { format: 'webp', size, isAnimated: false });
  assert.deepEqual(readPictureHead(PHOTOS.heic), { format: 'heic', size: null, isAnimated: false });
});

test('an animated picture says so', () => {
  const webp = PHOTOS.webp.slice();
  webp[20] = (webp[20] ?? 0) | 2;
  assert.equal(readPictureHead(webp)?.isAnimated, true);
  const [before, after] = [PHOTOS.png.subarray(0, 33), PHOTOS.png.subarray(33)];
  const control = Buffer.from('\0\0\0\bacTL\0\0\0\u0002\0\0\0\0CRC!', 'latin1');
  const png = Buffer.concat([before, control, after]);
  assert.equal(readPictureHead(png)?.isAnimated, true);
});

test('everything else is no picture', () => {
  const texts = [
    '',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'GIF89a\u0001\0\u0001\0\0\0\0',
    '%PDF-1.7 …',
  ];
  for (const text of texts) assert.equal(readPictureHead(Buffer.from(text, 'latin1')), null);
});

test('a picture that ends anywhere in its head is read without an error', () => {
  for (const bytes of Object.values(PHOTOS))
    for (let end = 0; end < Math.min(bytes.length, 400); end++)
      readPictureHead(bytes.subarray(0, end));
});
