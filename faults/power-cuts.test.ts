import test from 'node:test';
import { cutAfterFailedSync, cutWhileServing } from './power-cuts.ts';
import { skipWithoutRecords } from './write-records.ts';

const skip = skipWithoutRecords();

test('no power cut loses or damages acknowledged items', { skip }, () => cutWhileServing(1));

test(
  'no power cut loses what was acknowledged after a failed sync, beside a reader of the state before it',
  {
    skip,
  },
  () => cutAfterFailedSync('before'),
);
