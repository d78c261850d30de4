/** `/metrics` in Prometheus' text format, on a port of its own: no proxy that serves the site can show it. */
import prometheus from 'prom-client';
import { createRouter, text } from 'seeother';
import { serve } from 'seeother/node';
import type { Metrics } from './collect-metrics.ts';

export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

/** Adds up what `read` resolves to: the metrics of each process. */
export function serveMetrics(
  address: MetricsAddress,
  read: () => Promise<readonly Metrics[]>,
): ReturnType<typeof serve> {
  const router = createRouter().get('/metrics', async () => {
    const registry = addUp(await read());
    const answer = text(await registry.metrics());
    return { ...answer, headers: { ...answer.headers, 'Content-Type': registry.contentType } };
  });
  return serve(router, address);
}

/** Each series by its own rule: most are added, of some the highest counts. */
export function addUp(all: readonly Metrics[]): prometheus.Registry {
  return prometheus.AggregatorRegistry.aggregate([...all]);
}
