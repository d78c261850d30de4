/** What goes into a statement and comes out of it: nothing is changed silently, and both engines say the same. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Connection, type Database, DatabaseUnavailable, type Value } from 'seeother/database';
import { openPostgres, parsePostgresUrl } from 'seeother/postgres';
import { openSqlite } from 'seeother/sqlite';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { createTestFolder, ENGINES } from '../testing/open-test-database.ts';

const CREATE = 'create table notes (text text, number bigint)';
const TWO = "insert into notes (text) values ('one'); insert into notes (text) values ('two')";

for (const { engine, name, skip } of ENGINES) {
  const it = (behaviour: string, run: (database: Database) => Promise<void>) =>
    test(`${behaviour} (${name})`, { skip }, async (t) => {
      const { open } = await createBareDatabase(t, engine);
      const database = await open();
      await database.write(({ run }) => run(CREATE));
      await run(database);
    });
  const doors = (database: Database): readonly Connection['run'][] => [
    (text, values) => database.write(({ run }) => run(text, values)),
    database.read.run,
    async (text, values) => database.cachedRead.run(text, values),
    database.slowRead.run,
    (text, values) => database.snapshot(({ run }) => run(text, values)),
  ];
  const texts = async (database: Database) =>
    (await database.read.run<{ text: string }>('select text from notes')).rows.map(
      ({ text }) => text,
    );

  it('several statements at once are refused, and none of them is carried out', async (database) => {
    const several = [
      TWO,
      `${TWO};`,
      "insert into notes (text) values (';');;/* ; */ -- ;\n delete from notes",
    ];
    for (const text of several) {
      for (const run of doors(database)) {
        await assert.rejects(run(text), {
          message: `Cannot run ${text}: it is more than one statement. Run them one after another, in one write if they belong together.`,
        });
      }
    }
    assert.deepEqual(await texts(database), []);
    await database.write(({ run }) => run("insert into notes (text) values (';') ; -- ; end\n;"));
    assert.deepEqual(await texts(database), [';']);
  });

  it('a statement gets as many values as it has places, or is refused with both counts', async (database) => {
    const insert = 'insert into notes (text, number) values (?, ?)';
    const wrong: readonly (readonly [string, readonly Value[], string])[] = [
      [insert, ['one'], 'it has places for 2 values, and got 1'],
      [insert, [], 'it has places for 2 values, and got 0'],
      [insert, ['one', 2, 3], 'it has places for 2 values, and got 3'],
      ["select '?' as a -- ?", ['one'], 'it has places for 0 values, and got 1'],
    ];
    for (const [text, values, why] of wrong) {
      for (const run of doors(database)) {
        await assert.rejects(
          async () => run(text, values),
          (error: Error) => {
            assert.ok(!(error instanceof DatabaseUnavailable));
            assert.equal(error.message, `Cannot run ${text}: ${why}.`);
            return true;
          },
        );
      }
    }
    assert.deepEqual(await texts(database), []);
    for (const place of engine === 'sqlite' ? ['$1', ':text', '@text'] : [':text', '@text'])
      for (const values of [[], ['one']])
        await assert.rejects(async () => database.read.run(`select ${place} as a`, values));
  });

  it('a ? in a text or a comment is no place, and beside $1 it is an operator', async (database) => {
    const select = "select '?' as text, ? as value /* ? */ -- ?";
    for (const run of doors(database))
      assert.deepEqual((await run(select, ['one'])).rows, [{ text: '?', value: 'one' }]);
    if (engine === 'sqlite') return;
    const has = `select '{"a": 1}'::jsonb ? $1 as has`;
    assert.deepEqual((await database.read.run(has, ['a'])).rows, [{ has: true }]);
  });

  it('a value that a database would change silently is refused', async (database) => {
    const insert = 'insert into notes (text, number) values (?, ?)';
    const wrong = [
      [['a', undefined], 'its value 2 is undefined. Pass null for no value'],
      [['a', Number.NaN], 'its value 2 is NaN'],
      [
        ['a\0b', 1],
        'its value 1 has a NUL in it, which PostgreSQL refuses and SQLite may cut there',
      ],
    ] as const;
    for (const [values, why] of wrong) {
      for (const run of doors(database)) {
        const message = `Cannot run ${insert}: ${why}.`;
        await assert.rejects(async () => run(insert, values as never), { message });
      }
    }
    assert.deepEqual(await texts(database), []);
  });

  it('a whole number beyond 2^53 is stored exactly, and a read that would round it is refused', async (database) => {
    const insert = 'insert into notes (number) values (?)';
    const select = 'select number from notes order by number';
    const read = async () => (await database.read.run(select)).rows.map(({ number }) => number);
    for (const number of [-(2 ** 53 - 1), -1, 0, 2 ** 53 - 1])
      await database.write(({ run }) => run(insert, [number]));
    assert.deepEqual(await read(), [-(2 ** 53 - 1), -1, 0, 2 ** 53 - 1]);
    for (const large of [2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n]) {
      await database.write(({ run }) => run(insert, [large]));
      for (const run of doors(database)) await assert.rejects(run(select), /too large .*number/);
      const text = await database.read.run(
        'select cast(number as text) as t from notes where number = ?',
        [large],
      );
      assert.deepEqual(text.rows, [{ t: String(large) }]);
      await database.write(({ run }) => run('delete from notes where number = ?', [large]));
    }
  });

  it('the cached rows of one value are not those of another', async (database) => {
    await database.write(({ run }) => run("insert into notes values ('a', 1)"));
    const { run } = database.cachedRead;
    const count = async (...values: readonly Value[]) => {
      const text =
        'select count(*) as n from notes where number < cast(? as double precision) and text = ?';
      return (await run(text, values)).rows[0]?.['n'];
    };
    assert.equal(await count(null, 'a'), 0);
    assert.equal(await count(Number.POSITIVE_INFINITY, 'a'), 1);
    assert.equal(await count(Number.NEGATIVE_INFINITY, 'a'), 0);
    assert.equal(await count(2n, 'a'), 1);
  });

  test(`a date and a time without a zone are text, whatever the server and the process are set to (${name})`, {
    skip,
  }, async (t) => {
    const { open } = await createBareDatabase(t, engine);
    const values = ['2026-06-15', '2026-03-29 02:30:00.123456', '02:30:00'];
    const write = async ({ write }: Database, statement: string) =>
      write(({ run }) => run(statement));
    const setStyle = (style: string) =>
      `do $$ begin execute 'alter database "' || current_database() || '" ${style}'; end $$`;
    const first = await open();
    await write(first, 'create table days (day date, at timestamp, clock time)');
    const { TZ } = process.env;
    process.env['TZ'] = 'America/New_York';
    if (engine === 'postgres') await write(first, setStyle('set datestyle to German'));
    try {
      const database = await open();
      await database.write(({ run }) => run('insert into days values (?, ?, ?)', values));
      const select = 'select day, at, clock from days';
      const { rows } = await database.read.run(select);
      assert.deepEqual(rows, [{ day: values[0], at: values[1], clock: values[2] }]);
      if (engine === 'sqlite') return;
      const lists = await database.read.run('select array[day] as day, array[at] as at from days');
      assert.deepEqual(lists.rows, [{ day: [values[0]], at: [values[1]] }]);
    } finally {
      if (TZ === undefined) delete process.env['TZ'];
      else process.env['TZ'] = TZ;
      if (engine === 'postgres') await write(first, setStyle('reset datestyle'));
    }
  });

  test(`migrate carries out one statement at a time, or refuses (${name})`, { skip }, async (t) => {
    const { url, open } = await createBareDatabase(t, engine);
    const migrate = async ({ run }: Connection) => void (await run(`${CREATE}; ${TWO}`));
    const start = () =>
      engine === 'sqlite'
        ? openSqlite(`${createTestFolder(t)}/new.db`, { migrate })
        : openPostgres(parsePostgresUrl(url), { migrate });
    await assert.rejects(start(), /more than one statement/);
    await assert.rejects((await open()).read.run('select * from notes'));
  });
}
