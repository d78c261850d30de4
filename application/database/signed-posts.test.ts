/** A signed post counts once in the database, with what its handler writes, on both engines and on two instances. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import test from 'node:test';
import { createSite, readSigned, text } from 'seeother';
import { createStores, type Database } from 'seeother/database';
import { bodyText, post } from 'seeother/testing';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { ENGINES } from '../testing/open-test-database.ts';

const SECRET = 'the secret of the sender';

/** An instance of a site whose hook writes a payment and answers with its number; `fails` fails after the write. */
function createInstance(database: Database, fails = () => false) {
  const stores = createStores(database);
  const site = createSite(stores, { log: false, errors: { report: () => {} } }).post(
    '/hook',
    readSigned(stores.receipts, { scheme: 'github', secrets: [SECRET] }),
    ({ signed, once }) =>
      once(async ({ run }) => {
        await run('insert into payments (message) values (?)', [signed.id]);
        const { rows } = await run<{ readonly count: number }>(
          'select count(*) as count from payments',
        );
        if (fails()) throw new Error('The warehouse is closed.');
        return text(`payment ${rows[0]?.count}`);
      }),
  );
  return async (body: string) => {
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const headers = { 'x-hub-signature-256': `sha256=${signature}` };
    return site.handle(post('/hook', body, { from: 'program', scheme: 'https', headers }));
  };
}

for (const { engine, name, skip } of ENGINES) {
  const open = async (t: Parameters<typeof createBareDatabase>[0]) => {
    const { open: openInstance } = await createBareDatabase(t, engine);
    const database = await openInstance();
    await database.write(({ run }) => run('create table payments (message text not null)'));
    const count = async () =>
      Number(
        (
          await database.read.run<{ readonly count: number }>(
            'select count(*) as count from payments',
          )
        ).rows[0]?.count,
      );
    return { database, openInstance, count };
  };

  test(`a message that reaches two instances at once is carried out once (${name})`, {
    skip,
  }, async (t) => {
    const { database, openInstance, count } = await open(t);
    const [one, other] = [createInstance(database), createInstance(await openInstance())];
    const answers = await Promise.all([one('{}'), other('{}'), one('{}'), other('{}')]);
    assert.deepEqual(new Set(answers.map(bodyText)), new Set(['payment 1']));
    assert.equal(await count(), 1);
    // Another message between them changes nothing of the answer.
    assert.equal(bodyText(await other('[]')), 'payment 2');
    const again = await createInstance(await openInstance())('{}');
    assert.deepEqual([again.status, bodyText(again)], [200, 'payment 1']);
    assert.equal(await count(), 2);
  });

  test(`a message whose work fails leaves nothing, and is carried out when it is sent again (${name})`, {
    skip,
  }, async (t) => {
    const { database, count } = await open(t);
    let isClosed = true;
    const send = createInstance(database, () => isClosed);
    assert.equal((await send('{}')).status, 500);
    assert.equal(await count(), 0);
    isClosed = false;
    assert.equal(bodyText(await send('{}')), 'payment 1');
  });
}
