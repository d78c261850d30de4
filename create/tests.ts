/** All tests of this folder in one process; those of the templates run in the projects that they test. */
import { importTests } from '../application/testing/import-tests.ts';
// Here, so that its folder is removed after the last file and not after the first.
import './made-project.ts';

importTests(import.meta.dirname, '*.test.ts');
