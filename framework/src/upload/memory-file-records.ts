/** The records of the files of one process. There is no transaction: what was kept stays kept. */
import { randomUUID } from 'node:crypto';
import type { Amount, FileRecord, FileRecords } from './file-records.ts';

interface KeptRecord extends FileRecord {
  readonly id: string;
  /** In milliseconds: null for a kept file, 0 for a discarded one. */
  readonly expiresAt: number | null;
}

export function createMemoryFileRecords(): FileRecords<null> {
  let rows: readonly KeptRecord[] = [];
  let isNew = true;
  const change = (of: (row: KeptRecord) => boolean, changed: Partial<KeptRecord>): number => {
    const count = rows.filter(of).length;
    rows = rows.map((row) => (of(row) ? { ...row, ...changed } : row));
    return count;
  };
  const isOpen = ({ expiresAt }: KeptRecord) => expiresAt === null || expiresAt > Date.now();
  const isParked = (row: KeptRecord) => row.expiresAt !== null && isOpen(row);
  return {
    async add(file, expiresAt) {
      const content = { type: '', size: 0, sha256: '' };
      rows = [...rows, { ...file, ...content, id: randomUUID(), expiresAt: expiresAt.getTime() }];
    },
    async complete(key, content) {
      change((row) => row.key === key, content);
    },
    async findParked(key, owner) {
      const found = rows.find(
        (row) =>
          row.key === key &&
          row.sha256 !== '' &&
          isOpen(row) &&
          (row.owner === null || row.owner === owner),
      );
      return found ?? null;
    },
    async park(key, owner, expiresAt) {
      const parked = (row: KeptRecord) => row.key === key && isParked(row);
      change(parked, { owner, expiresAt: expiresAt.getTime() });
    },
    async lock() {},
    async keep(key) {
      const found = rows.find((row) => row.key === key && row.sha256 !== '' && isOpen(row));
      if (found === undefined) return null;
      const shared = rows.find(
        ({ expiresAt, sha256, size }) =>
          expiresAt === null && sha256 === found.sha256 && size === found.size,
      );
      if (shared === undefined) {
        change((row) => row === found, { expiresAt: null });
        return { id: found.id, isShared: false };
      }
      const id = randomUUID();
      rows = [...rows, { ...found, id, key: shared.key, expiresAt: null }];
      return { id, isShared: shared.key !== key };
    },
    find: async (id) => rows.find((row) => row.id === id && row.expiresAt === null) ?? null,
    async remove(id) {
      change((row) => row.id === id && row.expiresAt === null, { expiresAt: 0 });
    },
    async parked() {
      const all = rows.filter(({ expiresAt }) => expiresAt !== null);
      return { all: addUp(all), visitors: addUp(all.filter(({ owner }) => owner === null)) };
    },
    async discard(key) {
      const ofKey = rows.filter((row) => row.key === key);
      if (ofKey.some(({ expiresAt }) => expiresAt === null)) return null;
      const [found] = ofKey;
      change((row) => row.id === found?.id, { expiresAt: 0 });
      return found?.id ?? null;
    },
    async takeExpired(now) {
      const isOver = ({ expiresAt }: KeptRecord) =>
        expiresAt !== null && expiresAt <= now.getTime();
      change(isOver, { expiresAt: 0 });
      const needed = new Set(rows.filter((row) => !isOver(row)).map(({ key }) => key));
      return rows.filter(isOver).map(({ id, key }) => ({ id, key, isShared: needed.has(key) }));
    },
    async forget(id) {
      rows = rows.filter((row) => row.id !== id || row.expiresAt !== 0);
    },
    isNew: async () => isNew,
    async begin() {
      isNew = false;
    },
  };
}

function addUp(rows: readonly KeptRecord[]): Amount {
  return { files: rows.length, bytes: rows.reduce((sum, { size }) => sum + size, 0) };
}
