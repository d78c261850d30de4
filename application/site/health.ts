/**
 * For load balancers and monitors: `/healthz` says that the process runs, `/readyz` that it can serve.
 */
import { type Context, type Handler, text } from 'seeother';

/** Their paths. They are answered before all other requests, without a session. */
export const HEALTH_CHECKS = ['/healthz', '/readyz'] as const;

export interface Health {
  /** Rejects if the database does not answer. */
  readonly checkDatabase: () => Promise<void>;
  readonly isDraining: () => boolean;
}

export function createHealthController({ checkDatabase, isDraining }: Health) {
  const showHealth: Handler<Context> = () => text('ok\n');

  const showReadiness: Handler<Context> = async () => {
    if (isDraining()) return text('draining\n', 503);
    try {
      await checkDatabase();
      return text('ready\n');
    } catch {
      return text('the database is away\n', 503);
    }
  };

  return { showHealth, showReadiness };
}
