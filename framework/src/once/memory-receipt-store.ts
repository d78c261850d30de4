/** Receipts of one process: a repeat that reaches another one is carried out again. */
import type { ReceiptKey, ReceiptStore } from './receipt-store.ts';

/**
 * Receipts in the memory of this process, for tests and examples. There is no transaction: when the work
 * rejects, what it has done stays done.
 */
export function createMemoryReceiptStore(): ReceiptStore<null> {
  const receipts = new Map<string, Promise<string>>();
  const toText = ({ owner, once, digest }: ReceiptKey) => `${owner} ${once} ${digest}`;
  return {
    async find(key) {
      return (await receipts.get(toText(key))?.catch(() => null)) ?? null;
    },
    async carryOut(key, work) {
      if (key === null) return work(null);
      const text = toText(key);
      const earlier = receipts.get(text);
      if (earlier !== undefined) return earlier;
      const path = work(null);
      receipts.set(text, path);
      // The pending promise is stored, so a repeat that arrives meanwhile waits for the same path.
      path.catch(() => receipts.delete(text));
      return path;
    },
  };
}
