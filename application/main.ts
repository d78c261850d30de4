/** Configuration, database, router, server, signals: in this order, and backwards at the end. */
import '../scripts/require-node.cjs';
import { join } from 'node:path';
import { createRouter, type ErrorReport, loadFiles, serverTiming } from 'seeother';
import { createLineWriter, serve, writeLastLine } from 'seeother/node';
import { readConfig } from './config.ts';
import { openDatabase } from './database/open-database.ts';
import { createModels } from './models/models.ts';
import { addSampleItems } from './models/sample-items.ts';
import { createApplication } from './router.ts';
import { StartError } from './start-error.ts';

/** Milliseconds that requests under way get when the service stops. */
const DRAIN = 25_000;
/** Milliseconds to wait for a slow reader of the last log lines. */
const LAST_LINES = 1_000;
/** Stands before the address in the one line of the start. */
const PLAIN_HTTP =
  'Cookies go without Secure, because nothing says that people come over https: set PUBLIC_ORIGIN to the https address, or TRUST_PROXY to the proxy. ';

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const errors = createLineWriter(2);
  const database = await openDatabase(config.databaseUrl, {
    report: (error) => errors.write(toJson({ message: 'A database connection broke.', error })),
  });
  const models = createModels(database);
  if (config.sampleItems) await addSampleItems(database, models.items);

  const log = createLineWriter(1, {
    onDropped: (count) =>
      errors.write(JSON.stringify({ time: new Date().toISOString(), dropped: count })),
  });
  const reportError = (report: ErrorReport) => errors.write(toJson(report));
  let draining = false;
  const parts = {
    config,
    models,
    files: loadFiles(join(import.meta.dirname, 'public')),
    health: {
      checkDatabase: database.check,
      isDraining: () => draining,
    },
    log: log.write,
    report: reportError,
  };
  const router = createRouter();
  const application = createApplication(
    parts,
    config.serverTiming ? router.use(serverTiming()) : router,
  ).prepare();
  const server = await serve(application, {
    host: config.host,
    port: config.port,
    trust: config.trust,
    report: (error) => errors.write(toJson({ message: String(error), error })),
  }).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`Cannot listen on ${config.host}:${config.port}: ${explainListen(error)}`);
  });
  errors.write(`${config.plainHttp ? PLAIN_HTTP : ''}Listening on ${server.url}`);

  const stop = async (exitCode: number) => {
    if (draining) process.exit(1);
    draining = true;
    await server.stop(DRAIN);
    await database.close();
    await log.close(LAST_LINES);
    await errors.close(LAST_LINES);
    process.exit(exitCode);
  };
  process.on('SIGTERM', () => stop(0));
  process.on('SIGINT', () => stop(0));
  // A promise that nobody waits for has failed: the state is not to be trusted any more.
  process.on('unhandledRejection', (error) => {
    errors.write(
      toJson({ message: 'A promise that nobody waits for was rejected; stopping.', error }),
    );
    void stop(1);
  });
}

function toJson(entry: { readonly message: string; readonly error?: unknown }): string {
  const { error, ...rest } = entry;
  const stack =
    error instanceof Error ? { stack: error.stack, cause: error.cause && String(error.cause) } : {};
  return JSON.stringify({ time: new Date().toISOString(), ...rest, ...stack });
}

function explainListen(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return 'another program listens there already. End it, or set PORT to another number.';
    case 'EACCES':
      return 'this user may not listen on that port. Set PORT to a number above 1023.';
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'this machine has no such address. Set HOST to one that it has, such as 127.0.0.1.';
    default:
      return error.message;
  }
}

try {
  await start();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  writeLastLine(2, error.message);
  process.exit(1);
}
