/** The middleware that every request runs through, in its order. The routes are in router.ts. */
import {
  catchErrors,
  createRouter,
  type ErrorReport,
  loadSession,
  logRequests,
  refuseCrossOrigin,
  refuseForeignHost,
  type StaticFiles,
  secureHeaders,
  serveFiles,
} from 'seeother';
import { answerUnavailable } from 'seeother/database';
import { logRefusals } from './accounts/log-refusals.ts';
import { requireOwnPassword } from './accounts/require-own-password.ts';
import { requireReader } from './accounts/require-reader.ts';
import { createFailurePage } from './errors/failures.ts';
import { showUnknownAddress } from './errors/show-unknown-address.ts';
import type { Models } from './models.ts';
import type { Config } from './settings/config.ts';
import type { LogSecurity } from './settings/security-log.ts';
import { HEALTH_CHECKS } from './site/health.ts';

export interface ChainParts {
  readonly config: Config;
  readonly models: Pick<Models, 'sessions'>;
  readonly files: StaticFiles;
  readonly log: (line: string) => void;
  readonly report: (report: ErrorReport) => void;
  readonly logSecurity: LogSecurity;
  /** The clock of the sessions. */
  readonly now: () => Date;
}

/**
 * No page runs a script, so nothing can use `connect-src`. Lighthouse reads robots.txt as the page, and
 * reports a site that refuses it as one without.
 */
const PAGE_POLICY = { 'connect-src': ["'self'"] } as const;

/** `router` may hold what stands outside the application's own chain, such as `serverTiming`. */
export function createChain(
  { config, models, files, log, report, logSecurity, now }: ChainParts,
  router = createRouter(),
) {
  return (
    router
      .use(logRequests({ write: log, users: config.logUsers }))
      .use(secureHeaders({ policy: PAGE_POLICY }))
      .use(catchErrors({ page: createFailurePage(config.bodyLimit), report }))
      .use(answerUnavailable)
      .use(
        refuseForeignHost({
          publicOrigin: config.publicOrigin,
          listensOn: config.host,
          except: HEALTH_CHECKS,
          onRefused: (request, reason) => logSecurity('host refused', request, null, reason),
        }),
      )
      .use(serveFiles(files))
      .use(
        loadSession({
          store: models.sessions,
          lifetime: { idle: config.sessionIdle, absolute: config.sessionAbsolute },
          now,
          // Nothing that a health check does may wait for the database, or write to it.
          except: HEALTH_CHECKS,
          onStarted: (request, { user }) => logSecurity('logged in', request, user.name),
        }),
      )
      // After the session, so that an administrator sees the reason on the page.
      .use(
        refuseCrossOrigin({
          publicOrigin: config.publicOrigin,
          onRefused: (request, reason) => logSecurity('origin refused', request, null, reason),
        }),
      )
      .use(logRefusals(logSecurity))
      .use(requireReader(config.readers))
      .use(requireOwnPassword)
      .use(showUnknownAddress)
  );
}
