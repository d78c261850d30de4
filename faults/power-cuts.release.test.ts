/** power-cuts.test.ts with two processes, and beside another reader. */
import test from 'node:test';
import { cutAfterFailedSync, cutWhileServing } from './power-cuts.ts';
import { skipWithoutRecords } from './write-records.ts';

const skip = skipWithoutRecords();

test('no power cut loses or damages items acknowledged by two processes', { skip }, () =>
  cutWhileServing(2),
);

test(
  'no power cut loses what was acknowledged after a failed sync, beside a reader of the state after it',
  {
    skip,
  },
  () => cutAfterFailedSync('after'),
);
