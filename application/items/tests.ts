/**
 * All tests of this folder in one process; on PostgreSQL the pages alone whose statements no other test has there: a
 * list and the neighbours of an item combine searches, filters and orders. The statements of the other pages, and what
 * is sent twice or at once, run on both engines in tests of `testOnEngines`.
 */
import { importTests } from '../testing/import-tests.ts';

const OWN_STATEMENTS = 'list/{item-list-page,item-links}.test.ts';

importTests(import.meta.dirname, OWN_STATEMENTS);
