import assert from 'node:assert/strict';
import test from 'node:test';
import { cutPower, recordFailedSync, recordForms } from './power-cuts.ts';
import { FILE, skipWithoutRecords } from './write-records.ts';

const skip = skipWithoutRecords();
const FORMS = 100;
const CUTS = 40;

async function cutWhileServing(workers: number): Promise<void> {
  const recording = await recordForms(FORMS, { WORKERS: String(workers) });
  const { acknowledged, ...rest } = cutPower(recording, CUTS);
  assert.ok(acknowledged > FORMS / 2, `${acknowledged} were acknowledged`);
  assert.deepEqual(rest, { cuts: CUTS, lost: 0, damaged: 0, halves: 0 });
  const { lost } = cutPower(recording, 20, { ignored: FILE.log });
  assert.ok(lost > 0, 'nothing is lost when the log is never synced: the cuts show nothing');
}

test('no power cut loses or damages acknowledged items', { skip }, () => cutWhileServing(1));

test('no power cut loses or damages items acknowledged by two processes', { skip }, () =>
  cutWhileServing(2),
);

for (const reads of ['before', 'after'] as const) {
  test(`no power cut loses what was acknowledged after a failed sync, beside a reader of the state ${reads} it`, {
    skip,
  }, async () => {
    const recording = await recordFailedSync(2 * FORMS, reads);
    const { acknowledged, ...rest } = cutPower(recording, CUTS);
    assert.ok(acknowledged > FORMS, `${acknowledged} were acknowledged`);
    assert.deepEqual(rest, { cuts: CUTS, lost: 0, damaged: 0, halves: 0 });
  });
}
