import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { encodeText } from '../testing/encode-text.ts';
import { bytesOf, readWholeTable } from '../testing/read-whole-table.ts';
import type { Encoding } from './encodings.ts';
import { openTable } from './read-table.ts';
import { TableError } from './table-error.ts';

test('a file in UTF-8 or UTF-16 is read without a notice', async () => {
  const text = 'name;location\r\nSäge 😀;Küche\r\n';
  const utf16 = Buffer.from(`\u{feff}${text}`, 'utf16le');
  for (const file of [text, `\u{feff}${text}`, utf16, Buffer.from(utf16).swap16()]) {
    const { header, notices, lines } = await readWholeTable(file);
    assert.deepEqual([header, notices], [['name', 'location'], []]);
    assert.deepEqual(lines, [{ line: 2, cells: ['Säge 😀', 'Küche'] }]);
  }
});

test('Windows-1252 and Mac Roman are told apart by the letters of all their words', async () => {
  const texts = [
    'Säge groß, Löffel, Büro, Äste, Öl, ÜBUNG, Straße',
    'Clé à molette, crème brûlée, fenêtre, garçon, naïf, œuvre, l’été, ÉTÉ',
    'Ölkännchen 5 € für 20 °C',
    'Café',
  ];
  for (const encoding of ['windows-1252', 'macintosh'] as const)
    for (const text of texts) {
      const { lines, notices } = await readWholeTable(encodeText(`name\n"${text}"\n`, encoding));
      assert.deepEqual(lines[0]?.cells, [text]);
      assert.match(notices[0] ?? '', encoding === 'macintosh' ? /Mac Roman/ : /Windows-1252/);
    }
  const { notices } = await readWholeTable(encodeText('name\nKüche, Bürste, groß\n', 'macintosh'));
  assert.deepEqual(notices, [
    'The file is not in UTF-8. It was read as Mac Roman: “Küche”, “Bürste”, “groß”',
  ]);
});

test('the encoding of an older program is guessed from its words', async () => {
  const texts: readonly (readonly [Encoding, string])[] = [
    ['windows-1250', 'Wiertarka, młotek ślusarski, żółta taśma, piła ręczna'],
    ['windows-1250', 'Vrtačka, šroubovák, řezačka, žebřík, dílna'],
    ['windows-1250', 'Fúrógép, csavarhúzó, fűrész, mérőszalag'],
    ['windows-1251', 'Молоток, отвёртка, дрель Bosch, СТУЛ'],
    ['windows-1254', 'Çekiç, şarjlı matkap, ışık, eğe, İğne'],
    ['shift_jis', 'ドリル, のこぎり, ソケット, 電動工具, 机'],
    ['shift_jis', 'ﾄﾞﾘﾙ, ｶﾞﾑﾃｰﾌﾟ'],
    ['cp850', 'Säge groß, Löffel, Büro, Äste, Öl, Straße'],
    ['cp850', 'Clé à molette, crème, fenêtre'],
    ['windows-1252', 'hylla, låda, bäck, øl, kæde, niño, mão'],
  ];
  for (const [encoding, text] of texts) {
    const file = encodeText(`name;location\n"${text}";"a|b"\n`, encoding);
    const { lines } = await readWholeTable(file);
    assert.deepEqual(lines[0]?.cells, [text, 'a|b'], `${encoding} ${text}`);
  }
  // One word may be of any language: people are asked.
  for (const [encoding, text] of [
    ['windows-1250', 'klíč'],
    ['cp850', 'Säge'],
  ] as const)
    assert.equal(
      (await readWholeTable(encodeText(`name\n${text}\n`, encoding))).old?.isSure,
      false,
    );
});

test('the byte that tells the encoding may be the last one of a long file', async () => {
  const file = Buffer.concat([Buffer.from(`name\n${'A\n'.repeat(5_000)}`), Buffer.from([0xfc])]);
  const { lines, notices } = await readWholeTable(file);
  assert.equal(lines.at(-1)?.cells[0], 'ü');
  assert.equal(notices.length, 1);
});

test('separators are found, also by the line “sep=”', async () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['name,location\n"A;B",C\n', ['A;B', 'C']],
    ['Name;Lagerort\n"3,5 m; lang";Büro, links\n', ['3,5 m; lang', 'Büro, links']],
    ['name\tlocation\nMonitor 24"\tC, D\n', ['Monitor 24"', 'C, D']],
    ['name|location\nA|C\n', ['A', 'C']],
    ['sep=|\nwhatever|that\nA;B|C\n', ['A;B', 'C']],
    ['Werkstatt, Halle 2\nFoo;Bar;Baz\nA;B;C\n', ['A', 'B', 'C']],
    ['name\r"A\r\nB"\r', ['A\r\nB']],
    // A comma in texts is in more cells, and not in every row.
    ['Foo;Bar\nSaw, big, red, old;1\nRope;2\nTape, grey;3\n', ['Tape, grey', '3']],
    ['Foo;Preis\nA;3,50\nB;4,20\n', ['B', '4,20']],
    ['name\nScrews, M8\nRope\nTape\n', ['Tape']],
    ['"sep=;"\nfoo;bar\nA,B;C\n', ['A,B', 'C']],
    // In more headings that are known, but not in every row.
    ['Name, Hersteller;Ort, Raum\nSaw, Bosch;Keller\nAxe;Keller, 1\n', ['Axe', 'Keller, 1']],
    ['Foo;Bar;Baz\nSaw, big;1\nAxe, old;2\nTape, grey;3;x\n', ['Tape, grey', '3', 'x']],
    // In every row, and more often there, as decimals and words have it.
    ['Foo, Fu;Bar, Ba\nA, a;1,50\nB, b;2,50\n', ['B, b', '2,50']],
    ['Foo, Fu\tBar;Ba\nA, a\t1,5;2\n\nB, b\t2,5;3\n', ['B, b', '2,5;3']],
    ['Name,Tags (a;b)\nA,x;y\nB,z;w\n', ['B', 'z;w']],
    // A heading without it.
    ['Name\nSaw, big\nAxe, old\n', ['Axe, old']],
    ['Things\nSaw; big\nAxe; old\n', ['Axe; old']],
    ['Name\nSaw,2\nAxe,3\n', ['Axe', '3']],
  ];
  for (const [text, cells] of cases)
    assert.deepEqual((await readWholeTable(text)).lines.at(-1)?.cells, cells, text);
});

/** Each row as its line and its cells. */
async function readCells(text: string): Promise<readonly string[]> {
  const { lines } = await readWholeTable(text);
  return lines.map(({ line, cells, isLoose }) => `${line}${isLoose ? '?' : ''} ${cells.join('|')}`);
}

test('line ends may be mixed', async () => {
  const cases = [
    ['name\r\nDrill\nSaw\r\nHammer\r\n', '2 Drill', '3 Saw', '4 Hammer'],
    ['name\nDrill\rSaw\n\rHammer', '2 Drill', '3 Saw', '5 Hammer'],
    ['name\r"A\r\nB\rC\nD"\r\n\nE', '2 A\r\nB\rC\nD', '7 E'],
  ] as const;
  for (const [text, ...rows] of cases) assert.deepEqual(await readCells(text), rows, text);
});

test('a quote that is wrong swallows no row, and a space behind one is none of the text', async () => {
  const cases = [
    [
      '"Drill,2\nSaw,3\nHammer "big",4\nAxe,5',
      '2? "Drill|2',
      '3 Saw|3',
      '4 Hammer "big"|4',
      '5 Axe|5',
    ],
    ['Saw,3\n"Drill,2\n', '2 Saw|3', '3? "Drill|2'],
    ['"Monitor 24" wide",3\nSaw,1', '2? "Monitor 24" wide"|3', '3 Saw|1'],
    ['"A\n\nB",Monitor 24"\nSaw,1', '2 A\n\nB|Monitor 24"', '5 Saw|1'],
    ['24","Drill\nSaw "x",3', '2? 24"|"Drill', '3 Saw "x"|3'],
    ['"Drill" ,"2"\t\n "Saw, big" , 3', '2 Drill|2', '3 Saw, big|3'],
    ['"Drill"\u2003,2\n\u200b"Saw, big"\u200b,\u3000"3"', '2 Drill|2', '3 Saw, big|3'],
    ['"24\\" monitor",2\n"a\\\\b",3', '2 24" monitor|2', '3 a\\b|3'],
    ['"A ""big"" one",\\"2', '2 A "big" one|\\"2'],
  ] as const;
  for (const [text, ...rows] of cases)
    assert.deepEqual(await readCells(`name,what\n${text}`), rows, text);
  const long = await readCells(`name,what\n"Drill,2\n${'Saw,3\n'.repeat(40_000)}`);
  assert.deepEqual([long.length, long[0], long.at(-1)], [40_001, '2? "Drill|2', '40002 Saw|3']);
});

test('the headings may stand below a title, and what is left out is named', async () => {
  const { header, notices, lines } = await readWholeTable(
    'Inventar, Stand 2026;;\r\n;;\r\nBezeichnung;Menge;;\r\nSäge;1;;\r\n',
  );
  assert.deepEqual(header, ['Bezeichnung', 'Menge']);
  assert.deepEqual(lines, [{ line: 4, cells: ['Säge', '1'] }]);
  assert.deepEqual(notices, [
    'The headings are on line 3. What stands above them was left out: “Inventar, Stand 2026”',
  ]);
  // A thing may be called like a heading.
  assert.deepEqual((await readWholeTable('Foo,Bar\nWerkzeug,3\n')).header, ['Foo', 'Bar']);
});

test('empty rows are skipped, and lines are those of the file', async () => {
  const { lines } = await readWholeTable('\r\nname,tags\r\n\r\n , \r\n"A","b\n\nc"\r\n\r\nB\r\n');
  assert.deepEqual(
    lines.map(({ line, cells }) => [line, cells.length]),
    [
      [5, 2],
      [9, 2],
    ],
  );
});

test('a column without a heading is read if a row near it has a cell', async () => {
  const { header, lines } = await readWholeTable(
    `name,,\nA,note,\n,,\n${'B\n'.repeat(30)}C,,,late\n`,
  );
  assert.deepEqual(header, ['name', '']);
  assert.deepEqual(
    [lines[0], lines[1], lines.at(-1)].map((row) => row?.cells),
    [
      ['A', 'note'],
      ['B', ''],
      ['C', '', '', 'late'],
    ],
  );
});

test('a file that is not a table is refused with the reason', async () => {
  const jpeg = Buffer.from('ffd8ffe000104a46494600010100', 'hex');
  const cases: readonly (readonly [string | Uint8Array, RegExp])[] = [
    ['', /is empty/],
    [' \r\n;;\r\n', /is empty/],
    [`name\n${'"A\nB" c\n'.repeat(200)}`, /wrong on more than 100 lines, .* is line 2/],
    [`name\n${'x'.repeat(10_000_000)}\n`, /line 2 is longer than 200,000 characters/],
    ['x'.repeat(300_000), /longer than 200,000 characters/],
    [`"${'('.repeat(100_000)}\n",a\n`, /heading “\(+…” is longer than 200 characters/],
    [`${'a,'.repeat(150)}a`, /has 151 columns, and at most 80/],
    [Buffer.from('PK\u{3}\u{4}rest'), /is a workbook.*in Excel/],
    [Buffer.from('\u{feff}name\nA\n', 'utf16le').subarray(0, -1), /not text in UTF-16/],
    [Buffer.from('Säge, Löffel, Kä').subarray(0, -1), /most of it is in UTF-8/],
    ['\0\0\0\0', /not a table/],
    ['%PDF-1.7\n', /is a PDF/],
    ['\n<!-- saved -->\n<!DOCTYPE html>\n<p>', /is a web page \(HTML\).*spreadsheet program.*CSV/],
    ['<table border=1><tr><td>Name</td>', /is a web page/],
    ['<?xml version="1.0"?><html xmlns="x"><body>', /is a web page/],
    [Buffer.from('\u{feff}<html>\nä', 'utf16le'), /is a web page/],
    [Buffer.from('<html><td>K\xe4se', 'latin1'), /is a web page/],
    ['<?xml version="1.0"?>\n<Workbook>', /is XML/],
    ['[{"name": "Drill"}]', /is JSON/],
    ['{\n "items": []}', /is JSON/],
    ['{\\rtf1 Drill}', /is a text document/],
    [jpeg, /not text/],
  ];
  for (const [file, message] of cases)
    await assert.rejects(
      readWholeTable(file),
      (error) => {
        assert.ok(error instanceof TableError, `${error}`);
        assert.match(error.message, message);
        return true;
      },
      `${message}`,
    );
});

test('a heading may look like the start of a web page', async () => {
  for (const heading of ['<b>', '<Name>', '{name}', '[1]', 'html', '<tabletop>'])
    assert.deepEqual((await readWholeTable(`${heading};q\nA;1\n`)).header, [heading, 'q']);
});

test('no bytes lead to anything but a table or a reason', async () => {
  const likely = fc.constantFrom(
    'name',
    '"',
    ';',
    ',',
    '\n',
    '\r',
    'sep=',
    '\u{feff}',
    'ü',
    '\0',
    '3,00',
  );
  const text = fc.array(fc.oneof(likely, fc.string({ maxLength: 5 })), { maxLength: 40 });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    text.map((parts) => Buffer.from(parts.join(''))),
    text.map((parts) => Buffer.from(parts.join(''), 'latin1')),
    text.map((parts) => Buffer.from(`\u{feff}${parts.join('')}`, 'utf16le')),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (file) => {
      try {
        const { header, lines } = await readWholeTable(file);
        for (const { cells } of lines) assert.ok(cells.length >= header.length);
      } catch (error) {
        if (!(error instanceof TableError)) throw error;
      }
    }),
    { numRuns: 100 },
  );
});

test('rows are read while they are asked for', async () => {
  let read = 0;
  async function* chunks() {
    for await (const chunk of bytesOf(`name\n${'Thing\n'.repeat(100_000)}`)) {
      read += chunk.length;
      yield chunk;
    }
  }
  const { rows } = await openTable({ chunks });
  read = 0;
  for await (const { line } of rows) if (line === 100) break;
  assert.ok(read < 300_000, `${read} bytes were read`);
});

test('a row of many cells costs no more than to read it: few of them are looked up', async () => {
  let count = 0;
  const knows = () => {
    count++;
    return false;
  };
  await assert.rejects(
    openTable(',;\t|'.repeat(20_000).replaceAll('|', 'x|'), { knows }),
    TableError,
  );
  assert.ok(count < 100_000, `${count}`);
});
