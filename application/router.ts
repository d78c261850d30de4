/** The application: its chain, and every route. */
import {
  answerNotModified,
  compressPages,
  createSite,
  type ErrorReport,
  type Middleware,
  onlyOnce,
  readForm,
  requireSession,
  type StaticFiles,
} from 'seeother';
import { readUpload } from 'seeother/upload';
import {
  endSessionsForm,
  logInForm,
  passwordForm,
  registrationForm,
} from './accounts/account-forms.ts';
import { discardDraft } from './accounts/discard-draft.ts';
import { logRefusals } from './accounts/log-refusals.ts';
import {
  inviteForm,
  resetForm,
  resetLinkForm,
  roleForm,
  withdrawForm,
} from './accounts/people-forms.ts';
import { requireOwnPassword } from './accounts/require-own-password.ts';
import { requireReader } from './accounts/require-reader.ts';
import { createRequireRole } from './accounts/require-role.ts';
import { DRAFT_LIMIT, showFailure } from './errors/failures.ts';
import { showUnknownAddress } from './errors/show-unknown-address.ts';
import { createHandlers, type HandlerParts } from './handlers.ts';
import { confirmForm, importForm } from './imports/import-forms.ts';
import { editForm } from './items/edit/edit-form.ts';
import { itemForm } from './items/item-form.ts';
import { lendForm, returnForm } from './items/lend/lend-form.ts';
import { quantityForm } from './items/quantity/quantity-form.ts';
import { removeValueForm } from './items/remove/remove-forms.ts';
import { renameForm } from './items/rename/rename-form.ts';
import { selectionForm } from './items/select/selection-form.ts';
import { createLimits } from './limits.ts';
import { buttonForm } from './site/flash-message.ts';
import { HEALTH_CHECKS } from './site/health.ts';

export interface Parts extends Omit<HandlerParts, 'now'> {
  readonly files: StaticFiles;
  readonly log: (line: string) => void;
  readonly report: (report: ErrorReport) => void;
  /** The clock of the sessions and of the days that the list names. */
  readonly now?: () => Date;
  /** What stands around the application's own chain, such as `serverTiming`. */
  readonly around?: readonly Middleware[];
}

/**
 * No page runs a script, so nothing can use `connect-src`. Lighthouse reads robots.txt as the page, and
 * reports a site that refuses it as one without.
 */
const PAGE_POLICY = { 'connect-src': ["'self'"] } as const;

/** After Back, nothing else tells that the same form did nothing this time. */
const REPEATED =
  'This form was carried out when you first sent it, and not again now. To do it again, open a new form.';

export function createApplication(parts: Parts) {
  const { config, models, files, log, report, logSecurity, around = [] } = parts;
  const { now = () => new Date() } = parts;
  const { people, receipts, sessions } = models;
  const { requireMember, requireAdministrator } = createRequireRole(people);
  const once = onlyOnce(receipts, sessions, { repeatedMessage: REPEATED });
  const handlers = createHandlers({ ...parts, now });
  const limits = createLimits({ ...config, ...parts });

  const compress = compressPages();
  const notModified = answerNotModified(handlers.itemsVersion);

  return createSite(models, {
    around,
    publicOrigin: config.publicOrigin,
    // Nothing that a health check does may wait for the database, or write to it.
    except: HEALTH_CHECKS,
    log: { write: log, users: config.logUsers },
    headers: { policy: PAGE_POLICY },
    errors: { page: showFailure, report },
    host: {
      listensOn: config.host,
      onRefused: (request, reason) => logSecurity('host refused', request, null, reason),
    },
    files,
    session: {
      lifetime: { idle: config.sessionIdle, absolute: config.sessionAbsolute },
      now,
      onStarted: (request, { user }) => logSecurity('logged in', request, user.name),
    },
    crossOrigin: {
      onRefused: (request, reason) => logSecurity('origin refused', request, null, reason),
    },
    forms: { limit: config.bodyLimit, repeatedMessage: REPEATED },
  })
    .use(logRefusals(logSecurity))
    .use(requireReader(config.readers))
    .use(requireOwnPassword)
    .use(showUnknownAddress)
    .get('/', handlers.goToItems)
    .get('/items', limits.limitSearches, compress, notModified, handlers.listItems)
    .get('/items/filters', compress, notModified, handlers.showFilters)
    .get('/items/locations', handlers.showLocations)
    .get('/items/tags', handlers.showTags)
    .get('/items.csv', limits.limitExports, handlers.showCsv)
    .group('/items', requireMember, (members) =>
      members
        .get('/new', handlers.showItemForm)
        .post(
          '',
          readForm(itemForm, { page: '/items/new' }),
          once,
          handlers.createItem,
          handlers.showItemForm,
        )
        .get('/rename', handlers.showRenameForm)
        .post('/rename', readForm(renameForm), once, handlers.rename, handlers.showRenameForm)
        .get('/select', limits.limitSearches, handlers.showSelection)
        .post(
          '/select',
          readForm(selectionForm),
          once,
          handlers.changeSelected,
          handlers.showSelection,
        )
        .get('/bin', handlers.showBin)
        .post(
          '/history/batches/:batch<int>/undo',
          limits.limitUndos,
          readForm(buttonForm),
          once,
          handlers.undoWholeBatch,
        )
        .get('/import', handlers.showImportForm)
        .post(
          '/import',
          limits.limitUploads,
          readUpload(importForm),
          once,
          handlers.uploadImport,
          handlers.showImportForm,
        )
        .get('/imports/:id<int>', handlers.showImport)
        .post(
          '/imports/:id<int>/run',
          readForm(confirmForm, { page: '/items/import' }),
          once,
          handlers.runImport,
        )
        .post(
          '/imports/:id<int>/stop',
          readForm(buttonForm, { page: '/items/import' }),
          once,
          handlers.stopImport,
        ),
    )
    .group('/items/:number<int>', (item) =>
      item
        .get('', limits.limitSearches, compress, notModified, handlers.showItem)
        .get('/history', requireSession, handlers.showItemHistory)
        .group('', requireMember, (members) =>
          members
            .get('/edit', handlers.showEditForm)
            .post('/edit', readForm(editForm), once, handlers.editItem, handlers.showEditForm)
            .get('/quantity', handlers.showQuantityForm)
            .post(
              '/quantity',
              readForm(quantityForm),
              once,
              handlers.countItem,
              handlers.showQuantityForm,
            )
            .get('/lend', handlers.showLendForm)
            .post('/lend', readForm(lendForm), once, handlers.lendItem, handlers.showLendForm)
            .post('/return', readForm(returnForm), once, handlers.returnItem)
            .post('/delete', readForm(buttonForm), once, handlers.deleteItem)
            .post('/restore', readForm(buttonForm), once, handlers.restoreItem)
            .post('/history/:event<int>/undo', readForm(buttonForm), once, handlers.undoChange),
        )
        .group('', requireAdministrator, (administrators) =>
          administrators
            .get('/remove', handlers.showRemoveItem)
            .post('/remove', readForm(buttonForm), once, handlers.removeItem)
            .get('/history/:event<int>/remove', handlers.showRemoveValue)
            .post(
              '/history/:event<int>/remove',
              readForm(removeValueForm),
              once,
              handlers.removeValue,
              handlers.showRemoveValue,
            ),
        ),
    )
    .group('', requireSession, (readers) =>
      readers
        .get('/items/history', handlers.showHistory)
        .get('/items/history/batches/:batch<int>', handlers.showBatch)
        .post('/draft/discard', discardDraft)
        .get('/account', handlers.showAccount)
        .post(
          '/account/password',
          readForm(passwordForm, { page: '/account' }),
          onlyOnce(receipts),
          handlers.changePassword,
          handlers.showAccount,
        )
        .get('/account/sessions/end', handlers.showEndSessions)
        .post(
          '/account/sessions/end',
          readForm(endSessionsForm, { page: '/account' }),
          handlers.endOwnSessions,
          handlers.showEndSessions,
        )
        .get('/people', handlers.showPeople),
    )
    .group('/people', requireAdministrator, (administrators) =>
      administrators
        .post(
          '/invitations',
          readForm(inviteForm, { page: '/people' }),
          once,
          handlers.invite,
          handlers.showPeople,
        )
        .post(
          '/invitations/withdraw',
          readForm(withdrawForm, { page: '/people' }),
          handlers.withdrawInvitation,
        )
        .get('/:id<int>', handlers.showPerson)
        .post(
          '/:id<int>/role',
          readForm(roleForm, { page: '/people' }),
          handlers.changeRole,
          handlers.showPerson,
        )
        .post(
          '/:id<int>/reset',
          readForm(resetLinkForm, { page: '/people' }),
          once,
          handlers.makeResetLink,
        )
        .post('/:id<int>/remove', handlers.removePerson)
        .post('/:id<int>/restore', handlers.restorePerson),
    )
    .get('/register', handlers.showRegistration)
    .post(
      '/register',
      limits.limitRegistrations,
      readForm(registrationForm),
      handlers.register,
      handlers.showRegistration,
    )
    .get('/reset-password', handlers.showReset)
    .post('/reset-password', readForm(resetForm), handlers.resetPassword, handlers.showReset)
    .get('/login', handlers.openLogIn)
    .post('/login', readForm(logInForm, { limit: DRAFT_LIMIT }), handlers.logIn, handlers.showLogIn)
    .post('/logout', handlers.logOut)
    .get('/forget.css', handlers.forgetPages)
    .get('/healthz', handlers.showHealth)
    .get('/readyz', handlers.showReadiness);
}
