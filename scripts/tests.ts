/** All tests of this folder in one process. */
import { importTests } from '../application/testing/import-tests.ts';

importTests(import.meta.dirname);
