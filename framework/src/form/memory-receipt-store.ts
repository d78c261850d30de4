/** Receipts in memory: for tests and examples. They end with the process. */
import type { ReceiptKey, ReceiptStore } from './receipt-store.ts';

/** Receipts of one process, for tests and examples. There is no transaction: nothing is undone. */
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
      // Kept while it is under way, so that whoever comes meanwhile waits for the same path.
      path.catch(() => receipts.delete(text));
      return path;
    },
  };
}
