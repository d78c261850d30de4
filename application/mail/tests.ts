/** All tests of this folder in one process. On PostgreSQL none: their statements run on both engines. */
import { importTests } from '../testing/import-tests.ts';

importTests(import.meta.dirname);
