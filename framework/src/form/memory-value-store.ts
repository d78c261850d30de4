/** Values of one process. They are stored as JSON, so that a reader gets what a database would give. */
import type { ValueStore } from './value-store.ts';

/** Values in the memory of this process, for tests and examples. There is no transaction. */
export function createMemoryValueStore(): ValueStore<null> {
  const values = new Map<string, { readonly json: string; readonly expiresAt: number }>();
  const removeExpired = () => {
    const now = Date.now();
    for (const [key, { expiresAt }] of values) if (expiresAt <= now) values.delete(key);
  };
  return {
    async find(key) {
      removeExpired();
      const value = values.get(key);
      return value === undefined ? null : JSON.parse(value.json);
    },
    async put(key, value, expiresAt) {
      removeExpired();
      values.set(key, {
        json: JSON.stringify(value),
        expiresAt: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
      });
    },
    async remove(key) {
      values.delete(key);
    },
  };
}
