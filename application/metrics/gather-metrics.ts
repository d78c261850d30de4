/**
 * Gathers the metrics of all workers in the primary. The counters of a worker that has ended stay in the sum, as it
 * last said them: without them the sum would fall, which Prometheus takes for a restart of everything.
 */
import type { Metrics } from './collect-metrics.ts';
import { addUp } from './serve-metrics.ts';

/** What a primary has of a worker. */
interface Source {
  /** Makes the worker call `take` soon. */
  readonly ask: () => void;
  latest: Metrics;
  /** Called with the answer. */
  answer: () => void;
}

export interface Gathering {
  /** Of a new worker. Returns the function for its answers, and the one for its end. */
  readonly add: (ask: () => void) => { take: (metrics: Metrics) => void; end: () => void };
  /** The newest metrics of each. A worker that does not answer in a second has its last ones. */
  readonly read: () => Promise<readonly Metrics[]>;
}

/** Milliseconds. */
const PATIENCE = 1_000;

export function createGathering(): Gathering {
  const sources = new Set<Source>();
  let ended: Metrics[] = [];
  let reading: Promise<readonly Metrics[]> | null = null;

  const askOne = (source: Source): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, PATIENCE);
    source.answer = () => {
      clearTimeout(timer);
      resolve();
    };
    source.ask();
    return promise;
  };

  return {
    add(ask) {
      const source: Source = { ask, latest: [], answer: () => {} };
      sources.add(source);
      return {
        take(metrics) {
          source.latest = metrics;
          source.answer();
        },
        end() {
          if (!sources.delete(source)) return;
          ended.push(source.latest.filter(isCounted));
          source.answer();
        },
      };
    },
    /** Those who read at the same time share the answers. */
    read() {
      reading ??= readAll().finally(() => {
        reading = null;
      });
      return reading;
    },
  };

  async function readAll(): Promise<readonly Metrics[]> {
    await Promise.all([...sources].map(askOne));
    // Equal series become one, so that a service whose workers often end does not grow.
    if (ended.length > 1) ended = [await addUp(ended).getMetricsAsJSON()];
    return [...ended, ...[...sources].map(({ latest }) => latest)];
  }
}

/** A gauge is about now: it ends with its process. */
function isCounted({ type }: Metrics[number]): boolean {
  const name: unknown = type;
  return name === 'counter' || name === 'histogram';
}
