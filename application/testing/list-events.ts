/** The whole history, for tests. The pages show the events of a batch as one line. */
import type { Database } from '../database/kysely.ts';
import { type Batch, selectBatches, toBatch } from '../items/events/batches.ts';
import { type ItemEvent, selectEvents, toEvent } from '../items/events/item-events.ts';

/** Newest first. */
export async function listEvents({ read }: Database): Promise<readonly ItemEvent[]> {
  const rows = await selectEvents(read).orderBy('item_events.id', 'desc').execute();
  return rows.map(toEvent);
}

/** Newest first. */
export async function listBatches({ read }: Pick<Database, 'read'>): Promise<readonly Batch[]> {
  return (
    await selectBatches(read).orderBy('last_event', 'desc').orderBy('batches.id', 'desc').execute()
  ).map(toBatch);
}
