import { createMemoryReceiptStore } from './memory-receipt-store.ts';
import { describeReceiptStore } from './receipt-store.contract.ts';

function createStore() {
  const texts: string[] = [];
  return {
    store: createMemoryReceiptStore(),
    write: (_: null, text: string) => void texts.push(text),
    written: () => texts,
  };
}

describeReceiptStore('the store in memory', createStore);
describeReceiptStore('the store in memory, with ids as text', createStore, ['ada', 'bo']);
