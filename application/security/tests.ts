/** All tests of this folder in one process; on PostgreSQL those alone in which what is stored decides. */
import { importTests } from '../testing/import-tests.ts';

const STORED = '{forms-text,log-in,password-change,routes,sessions}.test.ts';

importTests(import.meta.dirname, STORED);
