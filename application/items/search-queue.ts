/** The queue of searches: so many searches delay only other searches. */
import { createQueue, type Enqueue } from 'seeother/middleware';

export function createSearchQueue(): Enqueue {
  return createQueue({ running: 2, waiting: 30, wait: 3_000 });
}
