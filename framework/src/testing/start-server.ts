/** A server for one test, on a free port; it is stopped when the test ends. */
import type { TestContext } from 'node:test';
import type { Application } from '../server/application.ts';
import { type RunningServer, type ServeOptions, serve } from '../server/node-server.ts';

export interface TestServer extends RunningServer {
  /** What no middleware has caught, in order. */
  readonly reported: readonly unknown[];
}

export async function startServer(
  t: TestContext,
  handle: Application['handle'],
  options: Partial<ServeOptions> = {},
): Promise<TestServer> {
  const reported: unknown[] = [];
  const server = await serve(
    { handle },
    { host: '127.0.0.1', port: 0, report: (error) => reported.push(error), ...options },
  );
  t.after(() => server.stop(0));
  return { ...server, reported };
}
