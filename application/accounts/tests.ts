/**
 * All tests of this folder in one process; on PostgreSQL those alone whose statements no other test has there, or where
 * two requests meet. The statements of the other pages run on both engines in tests of `testOnEngines`.
 */
import { importTests } from '../testing/import-tests.ts';

const STORED = '{draft,people-pages,registration}.test.ts';

importTests(import.meta.dirname, STORED);
