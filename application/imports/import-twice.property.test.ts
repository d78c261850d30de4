/** Any file, imported in any mixture of part and whole, ends like one import of it. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { editItem } from '../items/edit/edit-item.ts';
import { EMPTY_ITEM, ITEM_FIELDS } from '../items/item-fields.ts';
import { ADA, openImport } from '../testing/open-import.ts';
import { testOnEngines } from '../testing/open-test-database.ts';

const cell = fc.constantFrom('A', 'a', 'B', 'Ü', 'ü', 'Äpfel', 'ÄPFEL');
const row = fc.record({
  name: fc.oneof({ weight: 9, arbitrary: cell }, { weight: 1, arbitrary: fc.constant('') }),
  location: fc.constantFrom('', 'X', 'x'),
  quantity: fc.constantFrom('1', '2', '3,00', 'many'),
  reference: fc.constantFrom('', '', 'r1', 'r2', 'r3'),
  number: fc.constantFrom('', '', '', '1', '2', '9'),
});

const file = fc
  .record({
    rows: fc.array(row, { minLength: 1, maxLength: 12 }),
    hasReference: fc.boolean(),
    hasNumber: fc.boolean(),
  })
  .map(({ rows, hasReference, hasNumber }) => {
    const columns = [
      ...(['name', 'location', 'quantity'] as const),
      ...(hasReference ? (['reference'] as const) : []),
      ...(hasNumber ? (['number'] as const) : []),
    ];
    const headings = columns.map((one) => (one === 'reference' ? 'Asset tag' : one));
    const lines = rows.map((one) => columns.map((column) => one[column]).join(';'));
    return [headings.join(';'), ...lines];
  });

/** After how many rows each import ends before the last one, which is whole. */
const attempts = fc.array(fc.nat(12), { maxLength: 2 });

testOnEngines('a file that is imported in parts and twice ends like once', async (t) => {
  const opened = await openImport(t);
  const { database, items, load } = opened;
  const startAgain = async () => {
    await database.write(async (transaction) => {
      for (const table of ['items', 'item_gaps', 'item_sources'] as const)
        await transaction.deleteFrom(table).execute();
      await transaction.deleteFrom('counters').where('name', '=', 'items').execute();
      for (const name of ['A', 'B', 'Äpfel'])
        await items.create(transaction, { ...THING, name }, ADA);
    });
  };
  const readAll = () =>
    database.read.selectFrom('items').select(COLUMNS).orderBy('number').execute();
  await fc.assert(
    fc.asyncProperty(file, attempts, async (lines, parts) => {
      await startAgain();
      const first = await load(lines.join('\n'), 'leave', 'leave');
      const once = await readAll();
      // Each row is in the result, or among those that were left out.
      const left = await Array.fromAsync(opened.imports.readLeftOut(first.id));
      const { created, changed } = first.done;
      assert.equal(created + changed + first.planned.same + left.length, lines.length - 1);
      assert.ok(left.every(({ problem }) => problem !== ''));
      // Rows with numbers come first, so only the whole file can be cut after a row.
      const wholes = lines[0]?.includes('number') === true ? [] : parts;
      await startAgain();
      for (const end of [...wholes, lines.length, lines.length])
        await load(lines.slice(0, end + 1).join('\n'), 'leave', 'leave');
      assert.deepEqual(await readAll(), once);
    }),
    { numRuns: database.engine === 'sqlite' ? 20 : 6 },
  );
});

/** Where the things of a file are put, and how they are called, before it is imported again. */
const moves = fc.array(fc.record({ name: fc.option(cell), location: fc.constantFrom('', 'Y') }));

testOnEngines(
  'whatever is moved and renamed here, a file adds and changes nothing twice',
  async (t) => {
    const { database, load } = await openImport(t);
    await fc.assert(
      fc.asyncProperty(file, moves, async (lines, changes) => {
        await database.write(async (transaction) => {
          for (const table of ['items', 'item_sources', 'item_events'] as const)
            await transaction.deleteFrom(table).execute();
        });
        if (lines[0]?.includes('number') === true) return;
        const text = lines.join('\n').replaceAll('r3', 'k.A.');
        await load(text);
        const items = await database.read
          .selectFrom('items')
          .selectAll()
          .orderBy('number')
          .execute();
        for (const [at, { name, location }] of changes.entries()) {
          const item = items[at];
          if (item === undefined) break;
          const version = item.version;
          const input = { ...EMPTY_ITEM, name: name ?? item.name, location };
          const keep = ITEM_FIELDS.filter((field) => field !== 'name' && field !== 'location');
          const edit = { input, version, keep };
          await database.write((transaction) => editItem(transaction, item.number, edit, ADA));
        }
        const again = await load(text);
        assert.deepEqual(
          [again.planned.create, again.planned.change, again.planned.asked],
          [0, 0, 0],
        );
      }),
      { numRuns: database.engine === 'sqlite' ? 20 : 6 },
    );
  },
);

const THING = { description: '', quantity: 1, location: '', tags: [] };
const COLUMNS = ['number', 'name', 'location', 'quantity', 'description'] as const;
