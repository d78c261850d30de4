import test from 'node:test';
import { holds, sendToPair } from './forms-five-times.ts';

// forms-five-times.release.test.ts has them behind balancers, and `npm run faults` sends a thousand behind each.
test('a hundred forms sent five times each to two instances, one killed halfway, are a hundred items', async () => {
  holds(await sendToPair(100), 100);
});
