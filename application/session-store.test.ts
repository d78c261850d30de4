/** The sessions in the database are a session store of the framework. */
import { describeSessionStore } from '../framework/src/session/session-store.contract.ts';
import { createSessions } from './models/session.ts';
import { addAccount, openTestDatabase } from './testing/open-test-database.ts';

const ADA = { id: 1, username: 'ada' };
const BO = { id: 2, username: 'bo' };

describeSessionStore(
  'the store in SQLite',
  async (t) => {
    const database = await openTestDatabase(t);
    for (const { id, username } of [ADA, BO]) await addAccount(database, id, username);
    return createSessions(database);
  },
  [ADA, BO],
);
