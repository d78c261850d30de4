/** Serves the metrics of the configuration; one process of an instance does. */
import type { Metrics } from '../metrics/collect-metrics.ts';
import type { Config } from '../settings/config.ts';
import { StartError } from '../settings/start-error.ts';
import { explainListen } from './explain-listen.ts';

/** Does nothing without METRICS_PORT. Rejects with a StartError if the port is not available. */
export async function startMetrics(
  { metrics }: Config,
  read: () => Promise<readonly Metrics[]>,
): Promise<void> {
  if (metrics === null) return;
  const { serveMetrics } = await import('../metrics/serve-metrics.ts');
  await serveMetrics(metrics, read).catch((error: NodeJS.ErrnoException) => {
    const why = explainListen(error, 'METRICS_');
    throw new StartError(`Cannot serve metrics on ${metrics.host}:${metrics.port}: ${why}`);
  });
}
