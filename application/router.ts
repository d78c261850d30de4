/** The whole application on one screen: the chain that every request runs through, and every route. */
import {
  answerNotModified,
  catchErrors,
  compressPages,
  createRouter,
  type ErrorReport,
  loadSession,
  logRequests,
  onlyOnce,
  readForm,
  refuseCrossOrigin,
  refuseForeignHost,
  requireSession,
  type StaticFiles,
  secureHeaders,
  serveFiles,
} from 'seeother';
import { answerUnavailable } from 'seeother/database';
import { createAccountController } from './accounts/account-controller.ts';
import {
  logInForm,
  passwordForm,
  registrationForm,
  sessionForm,
} from './accounts/account-forms.ts';
import { createAccountSessionController } from './accounts/account-sessions.ts';
import { createAuthenticate } from './accounts/authenticate.ts';
import { createCompleteLogIn } from './accounts/complete-log-in.ts';
import { logAttempts } from './accounts/log-attempts.ts';
import { createLogInController } from './accounts/log-in.ts';
import { createPeopleController } from './accounts/people-controller.ts';
import {
  inviteForm,
  resetForm,
  resetLinkForm,
  roleForm,
  withdrawForm,
} from './accounts/people-forms.ts';
import { createPersonController } from './accounts/person-controller.ts';
import { createRegistrationController } from './accounts/registration.ts';
import { requireOwnPassword } from './accounts/require-own-password.ts';
import { requireReader } from './accounts/require-reader.ts';
import { createRequireRole } from './accounts/require-role.ts';
import { createResetController } from './accounts/reset-controller.ts';
import { createWelcome } from './accounts/welcome.ts';
import { createHistoryController } from './history/history-controller.ts';
import { createItemController } from './items/controller.ts';
import { createEditController } from './items/edit-controller.ts';
import { createExportController } from './items/export-controller.ts';
import { editForm, itemForm, quantityForm } from './items/item-form.ts';
import { createQuantityController } from './items/quantity-controller.ts';
import { createShowItem } from './items/show-item.ts';
import type { Models } from './models.ts';
import type { Config } from './process/config.ts';
import type { LogSecurity } from './process/security-log.ts';
import { discardDraft } from './site/draft.ts';
import { createFailurePage, DRAFT_LIMIT } from './site/failures.ts';
import { buttonForm } from './site/flash-message.ts';
import { createHealthController, HEALTH_CHECKS, type Health } from './site/health.ts';
import { showUnknownAddress } from './site/show-unknown-address.ts';

export interface Parts {
  readonly config: Config;
  readonly models: Models;
  readonly files: StaticFiles;
  readonly health: Health;
  readonly log: (line: string) => void;
  readonly report: (report: ErrorReport) => void;
  readonly logSecurity: LogSecurity;
  /** The clock of the sessions and of the days that the list names. */
  readonly now?: () => Date;
}

/** `router` may hold what stands outside the application's own chain, such as `serverTiming`. */
export function createApplication(
  { config, models, files, health, log, report, logSecurity, now = () => new Date() }: Parts,
  router = createRouter(),
) {
  const { accounts, devices, exportItems, history, invitations, items } = models;
  const { people, receipts, resetLinks, sessions, throttle } = models;
  const limit = config.bodyLimit;
  const { requireMember, requireAdministrator } = createRequireRole(people, limit);
  const { registration, readers } = config;
  const welcome = createWelcome({ accounts, registration, readers });
  const { goToItems, itemsVersion, listItems, showItemForm, createItem } = createItemController(
    items,
    now,
    welcome,
  );
  const { showItem, showMissingItem } = createShowItem(items, history);
  const itemParts = { items, history, showMissingItem };
  const { showEditForm, editItem } = createEditController(itemParts);
  const { showQuantityForm, countItem } = createQuantityController(items, showMissingItem);
  const { showHistory, showBin, showItemHistory, deleteItem, restoreItem, undoChange } =
    createHistoryController(itemParts);
  const { showCsv } = createExportController(exportItems);
  const authenticate = logAttempts(
    createAuthenticate({ accounts, devices, throttle }),
    accounts,
    logSecurity,
  );
  const completeLogIn = createCompleteLogIn(devices);
  const { showRegistration, register, openTo } = createRegistrationController({
    accounts,
    invitations,
    authenticate,
    completeLogIn,
    registration,
    readers,
    logSecurity,
  });
  const { openLogIn, showLogIn, logIn, logOut, forgetPages } = createLogInController({
    authenticate,
    completeLogIn,
    openTo,
    readers,
    logSecurity,
  });
  const { showAccount, changePassword } = createAccountController({
    accounts,
    sessions,
    authenticate,
    logSecurity,
    now,
  });
  const { endOneSession, endOtherSessions } = createAccountSessionController(
    sessions,
    logSecurity,
    now,
  );
  const { publicOrigin } = config;
  const managing = { people, invitations, resetLinks, publicOrigin, logSecurity };
  const { showPeople, invite, withdrawInvitation } = createPeopleController(managing);
  const { showPerson, changeRole, remove, restore, makeResetLink } =
    createPersonController(managing);
  const { showReset, resetPassword } = createResetController({
    accounts,
    resetLinks,
    authenticate,
    completeLogIn,
    logSecurity,
  });
  const { showHealth, showReadiness } = createHealthController(health);

  return router
    .use(logRequests({ write: log, users: config.logUsers }))
    .use(secureHeaders())
    .use(catchErrors({ page: createFailurePage(limit), report }))
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
      refuseCrossOrigin({
        publicOrigin: config.publicOrigin,
        onRefused: (request, reason) => logSecurity('origin refused', request, null, reason),
      }),
    )
    .use(
      loadSession({
        store: sessions,
        lifetime: { idle: config.sessionIdle, absolute: config.sessionAbsolute },
        now,
        // Nothing that a health check does may wait for the database, or write to it.
        except: HEALTH_CHECKS,
        onStarted: (request, { user }) => logSecurity('logged in', request, user.name),
      }),
    )
    .use(requireReader(readers))
    .use(requireOwnPassword)
    .use(showUnknownAddress)

    .get('/', goToItems)
    .get('/items', compressPages(), answerNotModified(itemsVersion), listItems)
    .get('/items/new', requireMember, showItemForm)
    .post(
      '/items',
      requireMember,
      readForm(itemForm, { limit, page: '/items/new' }),
      onlyOnce(receipts, sessions),
      createItem,
      showItemForm,
    )
    .get('/items/history', showHistory)
    .get('/items/bin', requireMember, showBin)
    .get('/items/:number(\\d+)', compressPages(), answerNotModified(itemsVersion), showItem)
    .get('/items/:number(\\d+)/edit', requireMember, showEditForm)
    .post(
      '/items/:number(\\d+)/edit',
      requireMember,
      readForm(editForm, { limit }),
      onlyOnce(receipts, sessions),
      editItem,
      showEditForm,
    )
    .get('/items/:number(\\d+)/quantity', requireMember, showQuantityForm)
    .post(
      '/items/:number(\\d+)/quantity',
      requireMember,
      readForm(quantityForm, { limit }),
      onlyOnce(receipts, sessions),
      countItem,
      showQuantityForm,
    )
    .post(
      '/items/:number(\\d+)/delete',
      requireMember,
      readForm(buttonForm, { limit }),
      onlyOnce(receipts, sessions),
      deleteItem,
    )
    .post(
      '/items/:number(\\d+)/restore',
      requireMember,
      readForm(buttonForm, { limit }),
      onlyOnce(receipts, sessions),
      restoreItem,
    )
    .get('/items/:number(\\d+)/history', showItemHistory)
    .post(
      '/items/:number(\\d+)/history/:event(\\d+)/undo',
      requireMember,
      readForm(buttonForm, { limit }),
      onlyOnce(receipts, sessions),
      undoChange,
    )

    .get('/register', showRegistration)
    .post('/register', readForm(registrationForm, { limit }), register, showRegistration)
    .get('/reset-password', showReset)
    .post('/reset-password', readForm(resetForm, { limit }), resetPassword, showReset)
    .get('/login', openLogIn)
    .post('/login', readForm(logInForm, { limit: DRAFT_LIMIT }), logIn, showLogIn)
    .post('/logout', logOut)
    .get('/forget.css', forgetPages)
    .post('/draft/discard', requireSession, discardDraft)

    .get('/account', requireSession, showAccount)
    .post(
      '/account/password',
      requireSession,
      readForm(passwordForm, { limit, page: '/account' }),
      onlyOnce(receipts),
      changePassword,
      showAccount,
    )
    .post(
      '/account/sessions/end',
      requireSession,
      readForm(sessionForm, { limit, page: '/account' }),
      endOneSession,
    )
    .post('/account/sessions/end-others', requireSession, endOtherSessions)

    .get('/people', requireSession, showPeople)
    .post(
      '/people/invitations',
      requireAdministrator,
      readForm(inviteForm, { limit, page: '/people' }),
      onlyOnce(receipts, sessions),
      invite,
      showPeople,
    )
    .post(
      '/people/invitations/withdraw',
      requireAdministrator,
      readForm(withdrawForm, { limit, page: '/people' }),
      withdrawInvitation,
    )
    .get('/people/:id(\\d+)', requireAdministrator, showPerson)
    .post(
      '/people/:id(\\d+)/role',
      requireAdministrator,
      readForm(roleForm, { limit, page: '/people' }),
      changeRole,
      showPerson,
    )
    .post(
      '/people/:id(\\d+)/reset',
      requireAdministrator,
      readForm(resetLinkForm, { limit, page: '/people' }),
      onlyOnce(receipts, sessions),
      makeResetLink,
    )
    .post('/people/:id(\\d+)/remove', requireAdministrator, remove)
    .post('/people/:id(\\d+)/restore', requireAdministrator, restore)

    .get('/items.csv', showCsv)
    .get('/healthz', showHealth)
    .get('/readyz', showReadiness);
}
