import { createMemorySessionStore } from './memory-session-store.ts';
import { describeSessionStore } from './session-store.contract.ts';

describeSessionStore('the memory store', createMemorySessionStore, [
  { id: 1, username: 'ada' },
  { id: 2, username: 'bo' },
]);
