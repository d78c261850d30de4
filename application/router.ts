/** The whole application on one screen: the chain that every request runs through, and every route. */
import {
  catchErrors,
  createRouter,
  type ErrorReport,
  loadSession,
  logRequests,
  onlyOnce,
  readForm,
  refuseCrossOrigin,
  requireSession,
  type StaticFiles,
  secureHeaders,
  serveFiles,
} from 'seeother';
import type { Config } from './config.ts';
import { createAuthenticate } from './controllers/authenticate.ts';
import { createFailurePage } from './controllers/failures.ts';
import { createHealthController, type Health } from './controllers/health.ts';
import { createItemController } from './controllers/items.ts';
import { createLogInController } from './controllers/log-in.ts';
import { createRegistrationController } from './controllers/registration.ts';
import { logInForm, registrationForm } from './forms/account-forms.ts';
import { itemForm } from './forms/item-form.ts';
import type { Models } from './models/models.ts';

export interface Parts {
  readonly config: Config;
  readonly models: Models;
  readonly files: StaticFiles;
  readonly health: Health;
  readonly log: (line: string) => void;
  readonly report: (report: ErrorReport) => void;
  /** The clock of the sessions. */
  readonly now?: () => Date;
}

/** `router` may hold what stands outside the application's own chain, such as `serverTiming`. */
export function createApplication(
  { config, models, files, health, log, report, now = () => new Date() }: Parts,
  router = createRouter(),
) {
  const { accounts, items, receipts, sessions, throttle } = models;
  const limit = config.bodyLimit;
  const { goToItems, listItems, showItem, showItemForm, createItem } = createItemController(items);
  const { registration } = config;
  const authenticate = createAuthenticate(accounts, throttle);
  const { showRegistration, register, openTo } = createRegistrationController({
    accounts,
    authenticate,
    registration,
  });
  const { showLogIn, logIn, logOut } = createLogInController({ authenticate, openTo });
  const { showHealth, showReadiness } = createHealthController(health);

  return router
    .use(logRequests({ write: log, users: config.logUsers }))
    .use(secureHeaders)
    .use(catchErrors({ page: createFailurePage(limit), report }))
    .use(serveFiles(files))
    .use(refuseCrossOrigin(config))
    .use(
      loadSession({
        store: sessions,
        lifetime: { idle: config.sessionIdle, absolute: config.sessionAbsolute },
        now,
      }),
    )

    .get('/', goToItems)
    .get('/items', listItems)
    .get('/items/new', requireSession, showItemForm)
    .post(
      '/items',
      requireSession,
      readForm(itemForm, { limit }),
      onlyOnce(receipts),
      createItem,
      showItemForm,
    )
    .get('/items/:number(\\d+)', showItem)

    .get('/register', showRegistration)
    .post('/register', readForm(registrationForm, { limit }), register, showRegistration)
    .get('/login', showLogIn)
    .post('/login', readForm(logInForm, { limit }), logIn, showLogIn)
    .post('/logout', logOut)

    .get('/healthz', showHealth)
    .get('/readyz', showReadiness);
}
