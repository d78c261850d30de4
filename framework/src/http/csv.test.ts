import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import test from 'node:test';
import { csv, escapeFormula, unescapeFormula } from './csv.ts';
import type { Response } from './response.ts';

async function textOf({ body }: Response): Promise<string> {
  return typeof body === 'string'
    ? body
    : (await buffer(body as AsyncIterable<Uint8Array>)).toString();
}

const courses = [
  { name: 'Knots, and "splices"', places: 12, until: new Date(0), left: -3 },
  { name: 'First\naid', places: null, until: undefined, left: 0 },
  { name: ' Sea ', places: 1n, until: null, left: 1.5 },
];

test('rows are a file of RFC 4180 with a byte order mark', async () => {
  const answer = await csv(
    courses,
    {
      Course: 'name',
      Places: 'places',
      Until: 'until',
      Full: ({ places }) => places === 0,
      Left: 'left',
    },
    { name: 'Kurse für alle.csv' },
  );
  assert.deepEqual(answer.headers, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="Kurse f_r alle.csv"; filename*=UTF-8''Kurse%20f%C3%BCr%20alle.csv`,
  });
  assert.equal(
    await textOf(answer),
    '\ufeffCourse,Places,Until,Full,Left\r\n' +
      '"Knots, and ""splices""",12,1970-01-01T00:00:00.000Z,false,-3\r\n' +
      '"First\naid",,,false,0\r\n" Sea ",1,,false,1.5\r\n',
  );
});

test('a column is a field that can be a cell, or a function', async () => {
  const rows = [{ name: 'a', tags: ['b'] }];
  // @ts-expect-error The rows have no such field.
  await csv(rows, { Name: 'nam' });
  // @ts-expect-error A list is no cell.
  await assert.rejects(csv(rows, { Tags: 'tags' }), /Cannot write a list into a cell/);
  assert.match(await textOf(await csv(rows, { Tags: ({ tags }) => tags.join() })), /b\r\n$/);
});

test('a spreadsheet that splits at another separator finds no formula behind it', async () => {
  for (const separator of [',', ';', '\t'] as const) {
    const rows = [{ a: "x,=cmd|'/C calc'!A0" }, { a: 'x;=1+1' }, { a: 'x\t@SUM(1)' }];
    const answer = await csv(rows, { A: 'a' }, { bom: false, separator });
    assert.equal(await textOf(answer), `A\r\n${rows.map(({ a }) => `"${a}"\r\n`).join('')}`);
  }
});

test('the byte order mark and the separator are chosen', async () => {
  const answer = await csv(
    [{ a: '1;2', b: '1,2' }],
    { a: 'a', b: 'b' },
    { bom: false, separator: ';' },
  );
  assert.equal(await textOf(answer), 'a;b\r\n"1;2";"1,2"\r\n');
  assert.equal(answer.headers['Content-Disposition'], 'attachment');
});

test('an empty cell that is alone in its row is written', async () => {
  assert.equal(await textOf(await csv([''], { a: (text) => text }, { bom: false })), 'a\r\n""\r\n');
});

test('headings that are numbers, or the same, are pairs', async () => {
  const pairs = [
    ['2027', () => 1],
    ['2026', () => 2],
    ['2026', () => 3],
  ] as const;
  assert.equal(await textOf(await csv([0], pairs, { bom: false })), '2027,2026,2026\r\n1,2,3\r\n');
  await assert.rejects(csv([0], { 2026: () => 1 }), /Pass a list of pairs/);
  await assert.rejects(csv([0], {}), /without columns/);
  await assert.rejects(csv([0], { a: () => [] as never }), /Cannot write a list into a cell/);
});

test('rows are read as they are sent, and other requests run in between', async () => {
  let read = 0;
  function* rows() {
    for (; read < 50_000; read++) yield { id: read, text: 'a row of some length' };
  }
  const { body } = await csv(rows(), { id: 'id', text: 'text' });
  assert.ok(read < 5_000, `${read} rows are read before the client has asked`);
  let turns = 0;
  const count = () => {
    turns++;
    waiting = setImmediate(count);
  };
  let waiting = setImmediate(count);
  let pieces = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    assert.ok(chunk.byteLength < 65_536);
    pieces++;
  }
  clearImmediate(waiting);
  assert.ok(pieces > 10 && turns >= pieces - 1, `${turns} turns for ${pieces} pieces`);
});

test('a client that leaves closes the rows, also before it has read any', async () => {
  for (const read of [0, 2]) {
    let isClosed = false;
    async function* rows() {
      try {
        for (;;) yield 'x'.repeat(1_000);
      } finally {
        isClosed = true;
      }
    }
    const body = (await csv(rows(), { x: (row) => row })).body as AsyncIterable<Uint8Array>;
    const chunks = body[Symbol.asyncIterator]();
    for (let count = 0; count < read; count++) await chunks.next();
    await chunks.return?.();
    assert.equal(isClosed, true);
  }
});

test('rows that fail before the answer reject it, and later ones end the stream with an error', async () => {
  async function* rows(after: number) {
    for (let count = 0; count < after; count++) yield 'x'.repeat(1_000);
    throw new Error('gone');
  }
  await assert.rejects(csv(rows(0), { x: (row) => row }), /gone/);
  const answer = await csv(rows(100), { x: (row) => row });
  await assert.rejects(textOf(answer), /gone/);
});

test('no cell starts a formula, and every text is read back unchanged', async () => {
  const texts = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\tx',
    '＝1',
    "'=1",
    "''-1",
    "'quoted'",
    "'",
    '',
    'a=b',
  ];
  for (const text of texts) {
    const cell = escapeFormula(text);
    assert.doesNotMatch(cell, /^[=+\-@\t\r＝＋－＠]/u);
    assert.equal(unescapeFormula(cell), text);
  }
  assert.equal(escapeFormula("'quoted'"), "'quoted'");
  const file = await textOf(await csv(['=1'], [['=2', (text) => text]], { bom: false }));
  assert.equal(file, "'=2\r\n'=1\r\n");
});

/** By name, because they show nothing: spreadsheets and editors drop some of them, and then the cell starts at `=`. */
const INVISIBLE = {
  space: ' ',
  'no-break space': '\u00a0',
  'ideographic space': '\u3000',
  'line feed': '\n',
  escape: '\u001b',
  'next line': '\u0085',
  'soft hyphen': '\u00ad',
  'combining grapheme joiner': '\u034f',
  'Arabic letter mark': '\u061c',
  'Hangul filler': '\u3164',
  'Mongolian vowel separator': '\u180e',
  'zero width space': '\u200b',
  'zero width joiner': '\u200d',
  'right-to-left mark': '\u200f',
  'right-to-left override': '\u202e',
  'word joiner': '\u2060',
  'left-to-right isolate': '\u2066',
  'variation selector': '\ufe0f',
  'byte order mark': '\ufeff',
  'interlinear annotation anchor': '\ufff9',
  'language tag': '\u{e0001}',
};

test('no cell starts a formula behind characters that show nothing', () => {
  for (const [name, invisible] of Object.entries(INVISIBLE)) {
    for (const before of [invisible, invisible.repeat(3), `\u200b${invisible}`, `'${invisible}`]) {
      for (const text of [`${before}=HYPERLINK("x")`, `${before}@SUM(A1)`, `${before}＝1`]) {
        const cell = escapeFormula(text);
        assert.equal(cell, `'${text}`, name);
        assert.equal(unescapeFormula(cell), text, name);
      }
    }
    for (const text of [`${invisible}chair`, `${invisible}a=b`, `a${invisible}=b`])
      assert.equal(escapeFormula(text), text, name);
  }
});
