/** All tests of this folder in one process. */
import { importTests } from '../testing/import-tests.ts';

importTests(import.meta.dirname);
