import { createMemoryValueStore } from './memory-value-store.ts';
import { describeValueStore } from './value-store.contract.ts';

describeValueStore('the store in memory', () => createMemoryValueStore());
