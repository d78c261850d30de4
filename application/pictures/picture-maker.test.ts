import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { endPictureProcesses } from '../testing/end-picture-processes.ts';
import { joinPng } from '../testing/join-png.ts';
import { PHOTOS } from '../testing/photos.ts';
import { readPictureHead } from './picture-head.ts';
import { findPictureLibraries } from './picture-libraries.ts';
import {
  createPictureMaker,
  NoPicture,
  PictureInterrupted,
  type PictureMaker,
} from './picture-maker.ts';

function openMaker(t: TestContext, limits = { time: 30_000, idle: 10_000 }): PictureMaker {
  const libraries = findPictureLibraries();
  assert.ok(libraries !== null, 'the libraries are installed');
  const maker = createPictureMaker(libraries, limits);
  t.after(() => maker.close());
  return maker;
}

/** A PNG of a few bytes that says that it is as large as one likes. */
function bomb(width: number, height: number): Uint8Array {
  const rows = Buffer.alloc(Math.ceil(width / 8) + 1);
  return joinPng({ width, height, depth: 1, colour: 0, rows });
}

test('a photo of each format becomes upright pictures without its place', async (t) => {
  const { make } = openMaker(t);
  for (const format of ['jpeg', 'png', 'webp', 'heic'] as const) {
    const bytes = PHOTOS[format];
    assert.match(Buffer.from(bytes).toString('latin1'), /exif/i, `${format} has data`);
    const { kept, page, list } = await make({ bytes, format });
    // Turned, it is higher than wide.
    const upright = { width: kept.width, height: kept.height };
    assert.deepEqual(upright, { width: 48, height: 64 }, format);
    for (const picture of [kept, page, list]) {
      const text = Buffer.from(picture.bytes).toString('latin1');
      assert.doesNotMatch(text, /exif|GPS|Camera|secret|photoshop|http:/i, format);
      const { format: made, size } = readPictureHead(picture.bytes) ?? {};
      assert.equal(made, 'jpeg');
      assert.deepEqual(size, { width: picture.width, height: picture.height });
    }
    assert.deepEqual([list.width, list.height], [80, 80]);
  }
});

test('a bomb, a torso and what only claims to be a picture are refused', async (t) => {
  const { make } = openMaker(t);
  const { jpeg } = PHOTOS;
  const refused: readonly [Uint8Array, RegExp][] = [
    [bomb(60_000, 60_000), /too large/],
    [jpeg.subarray(0, jpeg.length - 100), /./],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), /known format|unable/],
    [new Uint8Array(0), /./],
  ];
  for (const [bytes, reason] of refused) {
    await assert.rejects(make({ bytes, format: 'png' }), (error) => {
      assert.ok(error instanceof NoPicture);
      assert.match(error.message, reason);
      return true;
    });
  }
  assert.ok((await make({ bytes: jpeg, format: 'jpeg' })).page.bytes.length > 0);
});

test('a file that takes too long ends its process, and the next one gets another', async (t) => {
  const { make, close } = openMaker(t, { time: 0, idle: 10_000 });
  await assert.rejects(make({ bytes: PHOTOS.jpeg, format: 'jpeg' }), /took more than 0 ms/);
  await close();
  const { make: again } = openMaker(t);
  assert.ok(await again({ bytes: PHOTOS.jpeg, format: 'jpeg' }));
});

test('without its libraries the process cannot start, which is no fault of the file', async (t) => {
  const maker = createPictureMaker({ vips: 'file:///nowhere.mjs', heif: null });
  t.after(() => maker.close());
  const made = maker.make({ bytes: PHOTOS.jpeg, format: 'jpeg' });
  await assert.rejects(made, (error) => !(error instanceof NoPicture));
});

test('a process that is ended from outside, as when a service stops, is no fault of the file', async (t) => {
  const { make } = openMaker(t);
  const stop = endPictureProcesses(t, 'SIGTERM');
  await assert.rejects(make({ bytes: PHOTOS.jpeg, format: 'jpeg' }), (error) => {
    assert.ok(error instanceof PictureInterrupted);
    return true;
  });
  stop();
  assert.ok(await make({ bytes: PHOTOS.jpeg, format: 'jpeg' }));
});
