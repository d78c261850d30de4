/**
 * For load balancers and monitors: `/healthz` says that the process runs, `/readyz` that it can serve.
 */
import { type Context, type Handler, text } from 'seeother';
import type { Database } from '../database/kysely.ts';

/** Their paths. They are answered before all other requests, without a session. */
export const HEALTH_CHECKS = ['/healthz', '/readyz'] as const;

export interface Health {
  /** Rejects if the database does not answer. */
  readonly checkDatabase: () => Promise<void>;
  /** Why writes fail while reads work; null if they do not. */
  readonly writeFailure: Database['writeFailure'];
  /** Whether the files of forms can be stored. */
  readonly canStoreFiles: () => boolean;
  readonly isDraining: () => boolean;
}

const READY = { full: 'the disk is full', fails: 'the disk fails' };

export function createHealthController(health: Health) {
  const { checkDatabase, writeFailure, canStoreFiles, isDraining } = health;
  const showHealth: Handler<Context> = () => text('ok\n');

  const showReadiness: Handler<Context> = async () => {
    if (isDraining()) return text('draining\n', 503);
    try {
      await checkDatabase();
      // Another instance could not do better: all share the database and the folder of files.
      const disk = writeFailure()?.disk ?? null;
      if (disk !== null) return text(`ready, but writes fail: ${READY[disk]}\n`);
      return text(canStoreFiles() ? 'ready\n' : 'ready, but files cannot be stored\n');
    } catch {
      return text('the database is away\n', 503);
    }
  };

  return { showHealth, showReadiness };
}
