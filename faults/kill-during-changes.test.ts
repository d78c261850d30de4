import assert from 'node:assert/strict';
import test from 'node:test';
import { skipWithoutPrograms } from '../application/testing/postgres/find-programs.ts';
import { createPostgresPlace } from './disturb-postgres.ts';
import { compareChanges, killDuringChanges } from './kill-during-changes.ts';
import { createSqlitePlace, type Place } from './kill-during-creates.ts';

async function holds(place: Place, integrity: string | null): Promise<void> {
  const report = await killDuringChanges(2, place);
  const { acknowledged, refused: _, unanswered, slowestStart: __, ...rest } = report;
  assert.ok(acknowledged > 0 && unanswered > 0, `${acknowledged} and ${unanswered}`);
  const none = { lost: 0, doubled: 0, ghosts: 0, gaps: 0, differences: 0, failed: 0 };
  assert.deepEqual(rest, { rounds: 2, ...none, integrity });
}

// `npm run faults` kills it thirty times on each engine.
test('every change counts once when the service is killed, and the history adds up', async () => {
  await holds(await createSqlitePlace(), 'ok');
});

test('so it does on PostgreSQL', { skip: skipWithoutPrograms() }, async () => {
  await holds(await createPostgresPlace(), null);
});

test('the comparison reports lost, doubled and ghost changes, and skipped ids', () => {
  const form = (kind: 'edit' | 'count' | 'undo' | 'delete', mark: string, status: number) =>
    ({ kind, mark, status, number: 1, event: kind === 'undo' ? 1 : null }) as const;
  const row = (id: number, kind: string, mark: string | null, undoes: number | null = null) => ({
    ...{ id, number: 1, version: id + 1, kind, undoes, mark },
    changes: {},
    snapshot: null,
  });
  const events = [
    row(1, 'changed', 'kept'),
    row(2, 'counted', 'twice'),
    row(3, 'counted', 'twice'),
    row(4, 'changed', 'refused'),
    row(6, 'changed', 'of nobody'),
  ];
  const sent = [
    form('edit', 'kept', 303),
    form('count', 'twice', 303),
    form('edit', 'refused', 409),
    form('count', 'gone', 303),
    form('undo', 'undone', 303),
    form('delete', 'deleted', 303),
  ];
  assert.deepEqual(compareChanges(sent, events), { lost: 3, doubled: 1, ghosts: 2, gaps: 1 });
});
