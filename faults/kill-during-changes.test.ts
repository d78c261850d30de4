import assert from 'node:assert/strict';
import test from 'node:test';
import { compareChanges, type SentFile } from './changes.ts';

test('the comparison reports lost, doubled and ghost changes, files and definitions, and skipped ids', () => {
  type Kind = 'edit' | 'count' | 'undo' | 'delete' | 'add' | 'add photos' | 'add field' | 'merge';
  const form = (kind: Kind, mark: string, status: number, files: readonly SentFile[] = []) =>
    ({
      ...{ kind, mark, status, files, button: '' },
      event: kind === 'undo' ? 1 : null,
    }) as const;
  const row = (id: number, kind: string, mark: string | null, undoes: number | null = null) => ({
    ...{ id, number: 1, version: id + 1, kind, undoes, mark },
    changes: {},
    snapshot: null,
  });
  const file = (name: string, sha256 = 'a') => ({ name, sha256 });
  const stored = (name: string, sha256 = 'a') => ({ ...file(name, sha256), kind: '', records: [] });
  const none = { events: [], added: [], numbers: [], definitions: [], differences: 0 };
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
  const balance = { lost: 3, doubled: 1, ghosts: 2, gaps: 1 };
  assert.deepEqual(compareChanges(sent, { ...none, events }, []), balance);

  const forms = [
    form('add', 'there', 303, [file('there 1'), file('there 2')]),
    form('add', 'away', 303, [file('away 1')]),
    form('add', 'twice', 303),
    form('add', 'refused', 400, [file('refused 1')]),
  ];
  const items = { ...none, added: ['there', 'twice', 'twice', 'nobody'], numbers: [1, 2, 3, 5] };
  // Of the files, one has other bytes, one is there twice, one is gone, one was refused, and one was never sent.
  const files = ['there 2', 'there 2', 'refused 1', 'nobody 1'].map((name) => stored(name));
  assert.deepEqual(compareChanges(forms, items, [stored('there 1', 'b'), ...files]), {
    ...{ lost: 3, doubled: 2, ghosts: 3, gaps: 1 },
  });

  const define = (kind: string, mark: string | null) => ({ id: 1, kind, mark, undoes: null });
  const definitions = [
    define('added', 'double'),
    define('added', 'double'),
    define('merged', null),
  ];
  const fields = [form('add field', 'double', 303), form('add field', 'gone', 303)];
  assert.deepEqual(compareChanges(fields, { ...none, definitions }, []), {
    ...{ lost: 1, doubled: 2, ghosts: 0, gaps: 0 },
  });
});
