import { createMemoryReceiptStore } from './memory-receipt-store.ts';
import { describeReceiptStore } from './receipt-store.contract.ts';

describeReceiptStore('the store in memory', () => {
  const texts: string[] = [];
  return {
    store: createMemoryReceiptStore(),
    write: (_, text) => void texts.push(text),
    written: () => texts,
  };
});
