/** Publishes reads and writes of a database as the event `query`. */
import { createPublisher, type Events, timed } from '../events/events.ts';
import type { Connection, Database } from './database.ts';

const queries = createPublisher('query');

type Kind = Events['query']['kind'];

export function publishReads({ run }: Connection, kind: Kind = 'read'): Connection {
  return {
    run: (sql, values) =>
      queries.isHeard ? publish(kind, sql, () => run<never>(sql, values)) : run(sql, values),
  };
}

export function publishWrites(write: Database['write']): Database['write'] {
  return (work) => (queries.isHeard ? publish('write', null, () => write(work)) : write(work));
}

function publish<T>(kind: Kind, sql: string | null, query: () => Promise<T>): Promise<T> {
  return timed(query, (time, hasFailed) => queries.publish({ kind, sql, time, hasFailed }));
}
