/** A server on a free port for one test, stopped when the test ends. */
import type { TestContext } from 'node:test';
import type { Application } from '../server/application.ts';
import { type RunningServer, type ServeSettings, serve } from '../server/node-server.ts';
import type { TcpAddress } from '../server/serve-options.ts';

export interface TestServer extends RunningServer {
  /** Errors that no middleware caught, in order. */
  readonly reported: readonly unknown[];
}

export async function startServer(
  t: TestContext,
  handle: Application['handle'],
  options: Partial<ServeSettings & TcpAddress> = {},
): Promise<TestServer> {
  const reported: unknown[] = [];
  const server = await serve(
    { handle },
    { host: '127.0.0.1', port: 0, report: (error) => reported.push(error), ...options },
  );
  t.after(() => server.stop(0));
  return { ...server, reported };
}
