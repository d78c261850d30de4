import assert from 'node:assert/strict';
import { addAccount, openTestDatabase, testOnEngines } from '../testing/open-test-database.ts';
import { createPeople } from './people.ts';

testOnEngines(
  'people are listed by the name that pages show, and disabled ones last',
  async (t) => {
    const database = await openTestDatabase(t);
    const people = createPeople(database);
    assert.equal(await people.isEmpty(), true);
    const disabled_at = '2026-11-20T12:00:00.000Z';
    await addAccount(database, 1, 'Ada', { role: 'administrator', display_name: 'Zoë' });
    await addAccount(database, 2, 'bo', { role: 'reader' });
    await addAccount(database, 3, 'cy', { role: 'administrator', disabled_at });
    assert.equal(await people.isEmpty(), false);
    assert.deepEqual(
      (await people.list()).map(({ name, role, removedAt }) => [name, role, removedAt !== null]),
      [
        ['bo', 'reader', false],
        ['Zoë', 'administrator', false],
        ['cy', 'administrator', true],
      ],
    );
    assert.deepEqual(await people.administrators(), ['Zoë']);
    assert.equal((await people.findByName('ADA'))?.name, 'Zoë');
    assert.equal(await people.findByName('eve'), null);
  },
);
