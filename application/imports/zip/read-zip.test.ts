import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { HttpError } from 'seeother';
import { makeZip, type ZippedFile } from '../../testing/make-zip.ts';
import { openPhotoZip } from './open-photo-zip.ts';
import { openZip, ZipError, type ZipSource } from './read-zip.ts';

/** Counts the bytes that are read of it. */
function toSource(bytes: Uint8Array, read = { bytes: 0, requests: 0 }): ZipSource {
  return {
    name: 'photos.zip',
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    async *chunks({ first, last } = { first: 0, last: bytes.length - 1 }) {
      read.bytes += last + 1 - first;
      read.requests++;
      yield bytes.subarray(first, last + 1);
    },
  };
}

const open = (files: readonly ZippedFile[], options?: { entryCount: number }) =>
  openPhotoZip(toSource(makeZip(files, options)));

const contentOf = async (chunks: AsyncIterable<Uint8Array>) =>
  Buffer.concat(await Array.fromAsync(chunks)).toString();

test('a zip is read in ranges, by its directory', async () => {
  const large = Buffer.alloc(3_000_000, 'x');
  const files = [
    { path: 'No. 17/', content: '', method: 0 },
    { path: 'large.jpg', content: large, method: 0 },
    { path: 'No. 17/Kühlbox.jpg', content: 'cold' },
    { path: 'old.jpg', content: 'old', isZip64: true },
    { path: '__MACOSX/._17.jpg', content: 'fork' },
    { path: '.DS_Store', content: 'folder' },
    { path: 'Thumbs.db', content: 'folder' },
  ];
  const read = { bytes: 0, requests: 0 };
  const zip = await openZip(toSource(makeZip(files), read));
  assert.deepEqual([...zip.entries.keys()], ['large.jpg', 'No. 17/Kühlbox.jpg', 'old.jpg']);
  assert.equal(await contentOf(zip.read('No. 17/Kühlbox.jpg')), 'cold');
  assert.equal(await contentOf(zip.read('old.jpg')), 'old');
  assert.ok(read.bytes < 1_000_000, `${read.bytes}`);
  assert.ok(read.requests < 10, `${read.requests}`);
});

test('a name is read as the program has written it', async () => {
  const names = [
    [Buffer.from('Ku\u0308hlbox.jpg'), 0, 'Kühlbox.jpg'],
    [Buffer.from([0x81, 0x2e, 0x6a, 0x70, 0x67]), 0, 'ü.jpg'],
    [Buffer.from('a\\b.jpg'), 0, 'a/b.jpg'],
  ] as const;
  for (const [path, flags, expected] of names) {
    const zip = await openZip(toSource(makeZip([{ path, flags, content: 'x' }])));
    assert.deepEqual([...zip.entries.keys()], [expected]);
  }
});

const photo = (path: string, more: Partial<ZippedFile> = {}): ZippedFile => {
  return { path, content: 'x', ...more };
};

/** Each names the file, and says why and what to do. */
const REFUSED: readonly (readonly [
  string,
  readonly ZippedFile[],
  RegExp,
  { entryCount: number }?,
])[] = [
  [
    'a password',
    [photo('a.jpg', { flags: 1 })],
    /“a\.jpg” is encrypted\. Make the zip without a password/,
  ],
  [
    'a path to the root',
    [photo('/etc/passwd')],
    /“\/etc\/passwd” in the zip has a path that leads out/,
  ],
  [
    'a path upwards',
    [photo('a/../../b.jpg')],
    /“a\/\.\.\/\.\.\/b\.jpg” in the zip has a path that leads out/,
  ],
  ['a path upwards of Windows', [photo('..\\b.jpg')], /“\.\.\/b\.jpg” in the zip has a path/],
  ['a drive', [photo('C:\\b.jpg')], /“C:\/b\.jpg” in the zip has a path/],
  ['a NUL', [photo('a\0.jpg')], /“a\.jpg” in the zip has a path/],
  [
    'a link',
    [photo('a.jpg', { mode: 0o120_777 })],
    /“a\.jpg” is a link to another file\. Put the photo itself/,
  ],
  [
    'another method',
    [photo('a.jpg', { method: 12 })],
    /“a\.jpg” is compressed in a way .*\(method 12\)/,
  ],
  ['two of a name', [photo('a.jpg'), photo('A.JPG')], /“A\.JPG” is twice in the zip/],
  [
    'shared bytes',
    [photo('a.jpg'), photo('b.jpg', { sharesBytes: true })],
    /“[ab]\.jpg” has the same bytes as another/,
  ],
  [
    'a zip in it',
    [photo('more/a.ZIP')],
    /“more\/a\.ZIP” in the zip is an archive itself\. Unpack it/,
  ],
  [
    'more bytes than a disk has',
    [photo('a.jpg', { size: 4e9 }), photo('b.jpg', { size: 4e9 })],
    /The files in the zip have 8 GB\. Make zips of 4 GB or less/,
  ],
  [
    'a long path',
    [photo(`${'a/'.repeat(500)}b.jpg`)],
    /“a\/.*…” in the zip has a path of more than 1,000 characters\. Give its folders shorter names/,
  ],
  ['too many files', [photo('a.jpg')], /photos\.zip has 20,001 files/, { entryCount: 20_001 }],
  ['fewer files than it says', [photo('a.jpg')], /photos\.zip is damaged/, { entryCount: 2 }],
  ['nothing', [], /photos\.zip is empty/],
];

for (const [what, files, message, options] of REFUSED)
  test(`a zip with ${what} is refused`, () =>
    assert.rejects(open(files, options), (error) => {
      assert.ok(error instanceof ZipError, String(error));
      assert.match(error.message, message);
      return true;
    }));

test('a zip whose names have more bytes than memory should hold is refused before all are read', async () => {
  const path = 'a'.repeat(65_535);
  const zip = makeZip(Array.from({ length: 400 }, () => photo(path, { sharesBytes: true })));
  const read = { bytes: 0, requests: 0 };
  await assert.rejects(
    openZip(toSource(zip, read)),
    /^ZipError: The names and comments of the files in photos\.zip have more than 16 MB\. Make the zip/,
  );
  // Its directory has 26 MB, of which blocks are read more than once.
  assert.ok(read.bytes < 24_000_000, `${read.bytes}`);
});

test('tables of Homebox that are too large together are refused before any is read', async () => {
  const tables = ['manifest', 'entities', 'tags', 'attachments'].map((name) => {
    return { path: `${name}.json`, content: '[]', size: 5_000_000 };
  });
  await assert.rejects(
    open(tables),
    /^ZipError: The tables of Homebox in the zip have more than 16 MB together\. Export/,
  );
});

test('a table of Homebox with more rows than memory should hold is refused', async () => {
  const manifest = { path: 'manifest.json', content: '{"schemaVersion":1}' };
  for (const row of ['{}', '[]'])
    await assert.rejects(
      open([manifest, { path: 'entities.json', content: `[${`${row},`.repeat(100_000)}1]` }]),
      /^ZipError: “entities\.json” in the zip has more than 100,000 rows\. Export/,
    );
});

test('what is no zip, and half a zip, are refused', async () => {
  const whole = makeZip([photo('a.jpg')]);
  for (const bytes of [Buffer.from('no zip'), Buffer.alloc(0), whole.subarray(0, -10)])
    await assert.rejects(openZip(toSource(bytes)), /photos\.zip is damaged, or is no zip/);
  for (let at = 0; at < whole.length; at++) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    try {
      const { entries, read } = await openZip(toSource(bytes));
      for (const path of entries.keys()) await contentOf(read(path));
    } catch (error) {
      assert.ok(error instanceof ZipError, `byte ${at}: ${error}`);
    }
  }
});

test('a file that is larger than the zip says, or has another checksum, is damaged', async () => {
  for (const more of [{ content: Buffer.alloc(1_000_000), size: 10 }, { checksum: 1 }]) {
    const { entries, read } = await openZip(toSource(makeZip([photo('a.jpg', more)])));
    assert.equal(entries.size, 1);
    let size = 0;
    await assert.rejects(async () => {
      for await (const chunk of read('a.jpg')) size += chunk.length;
    }, /“a\.jpg” is damaged in the zip/);
    assert.ok(size < 100, `${size}`);
  }
});

test('a failure of the file store is no flaw of the zip', async () => {
  const source = toSource(makeZip([photo('a.jpg')]));
  const failure = new HttpError(503, 'away');
  let isAway = false;
  const chunks: ZipSource['chunks'] = async function* (range) {
    if (isAway) throw failure;
    yield* source.chunks(range);
  };
  const { read } = await openZip({ ...source, chunks });
  isAway = true;
  await assert.rejects(contentOf(read('a.jpg')), failure);
  await assert.rejects(openZip({ ...source, chunks }), failure);
});
