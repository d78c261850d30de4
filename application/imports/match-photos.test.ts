import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPhotoMatcher, type PhotoKey, readFileNames, textsOf } from './match-photos.ts';

type Texts = { readonly [Key in PhotoKey]?: string };

/** By the ids of the things, which begin with 1. */
async function match(things: readonly (Texts & { readonly files?: string })[], ...paths: string[]) {
  const matcher = createPhotoMatcher();
  for (const [at, { files = '', ...texts }] of things.entries()) {
    for (const [key, text] of Object.entries(texts)) matcher.addKey(key as PhotoKey, text, at + 1);
    for (const name of readFileNames(files)) matcher.addFile(name, at + 1);
  }
  const { files, left, missing } = await matcher.match(paths);
  return {
    files: Object.fromEntries(files),
    left: Object.fromEntries(left.map(({ path, problem }) => [path, problem])),
    missing,
  };
}

test('a file is matched by its name, by the number of a counter, or by its folder', async () => {
  const things = [
    { number: '17' },
    { serial: 'AB-12' },
    { code: '4006381333931' },
    { name: 'Drill' },
  ];
  const { files, left } = await match(
    things,
    ...[
      '17-10.jpg',
      '17-2.jpg',
      'in/17.JPG',
      'No. 17 (3).jpg',
      'No. 17/IMG_0001.jpg',
      '#17_4.heic',
    ],
    ...['ab-12.jpg', 'ab-12-2.png', '4006381333931.jpg', 'DRILL.jpg', 'Drill_2.jpg', 'drill/1.jpg'],
    ...['IMG_0001.jpg', '18.jpg', 'Drill press.jpg'],
  );
  assert.deepEqual(files[1]?.toSorted(), [
    ...[
      '#17_4.heic',
      '17-10.jpg',
      '17-2.jpg',
      'No. 17 (3).jpg',
      'No. 17/IMG_0001.jpg',
      'in/17.JPG',
    ],
  ]);
  assert.deepEqual((await match(things, '17-10.jpg', '17-2.jpg', '17.jpg')).files[1], [
    ...['17.jpg', '17-2.jpg', '17-10.jpg'],
  ]);
  assert.deepEqual(files[2], ['ab-12.jpg', 'ab-12-2.png']);
  assert.deepEqual(files[3], ['4006381333931.jpg']);
  assert.deepEqual(files[4]?.toSorted(), ['DRILL.jpg', 'Drill_2.jpg', 'drill/1.jpg']);
  assert.deepEqual(left, {
    'IMG_0001.jpg': 'no thing has its name',
    '18.jpg': 'no thing has its name',
    'Drill press.jpg': 'no thing has its name',
  });
});

test('the number counts before the serial number, and a whole name before one without its counter', async () => {
  assert.deepEqual((await match([{ serial: '17' }, { number: '17' }], '17.jpg')).files, {
    2: ['17.jpg'],
  });
  assert.deepEqual((await match([{ number: '17' }, { name: '17-2' }], '17-2.jpg')).files, {
    2: ['17-2.jpg'],
  });
  assert.deepEqual((await match([{ name: '17' }, { name: 'A' }], '17/a.jpg')).files, {
    2: ['17/a.jpg'],
  });
});

test('a name that two things have is left out, and told', async () => {
  const { files, left } = await match(
    [{ name: 'Drill' }, { name: 'drill' }, { serial: 'drill' }],
    'Drill-2.jpg',
  );
  assert.deepEqual(files, { 3: ['Drill-2.jpg'] });
  assert.deepEqual(left, {});
  assert.deepEqual((await match([{ name: 'Drill' }, { name: 'drill' }], 'Drill.jpg')).left, {
    'Drill.jpg': 'several things have its name',
  });
});

test('a column of the table decides, also for several things, with the order of its names', async () => {
  const { files, left, missing } = await match(
    [
      { name: 'Saw', files: 'b.jpg; a' },
      { name: 'Drill', files: 'C:\\Photos\\B.JPG, saw.jpg' },
      { name: 'Vice', files: 'red, large.jpg' },
      { name: 'Axe', files: 'gone.jpg' },
      { name: 'Lamp', files: 'twice.jpg' },
    ],
    ...['a.jpg', 'in/b.jpg', 'saw.jpg', 'red, large.jpg', '1/twice.jpg', '2/twice.jpg', 'axe.jpg'],
  );
  assert.deepEqual(files, {
    1: ['in/b.jpg', 'a.jpg'],
    2: ['in/b.jpg', 'saw.jpg'],
    3: ['red, large.jpg'],
    4: ['axe.jpg'],
  });
  assert.deepEqual(missing, ['gone.jpg']);
  const problem = 'the table names it, and another file of the zip has this name too';
  assert.deepEqual(left, { '1/twice.jpg': problem, '2/twice.jpg': problem });
});

/** Milliseconds of the processor, which other processes do not lengthen. */
async function timeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1_000;
}

test('a name with many spaces takes no more time than others', async () => {
  const name = `a${' '.repeat(50_000)}b`;
  assert.ok((await timeOf(() => textsOf(name))) < 500);
  assert.deepEqual(textsOf('a   (2).jpg'), ['a   (2)', 'a']);
});

test('many files of one thing are matched in turns with other work', async () => {
  const paths = Array.from({ length: 20_000 }, (_, at) => `${at}.jpg`);
  let turns = 0;
  let isOver = false;
  const count = async () => {
    for (; !isOver; turns++) await nextTurn();
  };
  const time = await timeOf(async () => {
    const counted = count();
    const { files } = await match([{ files: paths.join('|') }], ...paths);
    isOver = true;
    await counted;
    assert.deepEqual(files, { 1: paths });
  });
  assert.ok(turns > 30, `${turns}`);
  assert.ok(time < 1_000, `${time}`);
  turns = 0;
  isOver = false;
  const counted = count();
  await match([{ name: 'a' }], ...paths.map((path) => `a/${path}`));
  isOver = true;
  await counted;
  assert.ok(turns > 30, `${turns}`);
});
