/**
 * The application: the options of its site, and every route. `formHandlers` makes what a form needs: `show`, its page,
 * and `post`, the chain of its POST. That reads the form, carries a valid one out once, and shows a refused one again.
 */
import {
  answerNotModified,
  compressPages,
  createSite,
  type Middleware,
  requireSession,
} from 'seeother';
import type { ErrorReport, StaticFiles } from 'seeother/middleware';
import { discard } from './accounts/discard-draft.ts';
import { logRefusals } from './accounts/log-refusals.ts';
import { requireOwnPassword } from './accounts/require-own-password.ts';
import { requireReader } from './accounts/require-reader.ts';
import { createRequireRole } from './accounts/require-role.ts';
import { showFailure } from './errors/failures.ts';
import { showUnknownAddress } from './errors/show-unknown-address.ts';
import { createHandlers, type HandlerParts } from './handlers.ts';
import { createLimits } from './limits.ts';
import { HEALTH_CHECKS } from './site/health.ts';
import { SCRIPT_SOURCE } from './site/page-script.ts';

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
 * The script of the pages fetches pages. Lighthouse fetches /robots.txt in a page, and reports it if that is refused.
 */
const PAGE_POLICY = { 'script-src': [SCRIPT_SOURCE], 'connect-src': ["'self'"] } as const;

/** The redirect of a repeated form looks as that of the first one, so a message says that nothing was done again. */
const REPEATED =
  'This form was carried out when you first sent it, and not again now. To do it again, open a new form.';

export function createApplication(parts: Parts) {
  const { config, models, files, log, report, logSecurity, around = [] } = parts;
  const { now = () => new Date() } = parts;
  const { requireMember, requireAdministrator } = createRequireRole(models.people);
  const limits = createLimits({ ...config, ...parts });
  const { limitExports, limitNames, limitRegistrations, limitSearches } = limits;
  const { limitMails, limitUndos, limitUploads } = limits;
  const handlers = createHandlers({ ...parts, now });
  const { add, rename, select, edit, count, lend, takeBack, deleteItem, restore, undo } = handlers;
  const { address, requireMailer, switchMails } = handlers;
  const { countItems, correct, undoAll, removeItem, removeValue, restorePerson } = handlers;
  const { upload, columns, runImport, stopImport, changeRole, makeLink, removePerson } = handlers;
  const { listView, register, reset, logIn, password, name, endOwn, invite, withdraw } = handlers;
  const compress = compressPages();
  const notModified = answerNotModified(handlers.itemsVersion);

  return createSite(models, {
    around,
    publicOrigin: config.publicOrigin,
    // Nothing that a health check does may wait for the database, or write to it.
    except: HEALTH_CHECKS,
    log: { write: log, users: config.logUsers, format: config.logFormat },
    headers: { policy: PAGE_POLICY },
    errors: { page: showFailure, report },
    host: {
      listensOn: config.host,
      onRefused: (request, reason) => logSecurity('host refused', request, null, reason),
    },
    files,
    session: {
      cookie: config.sessionCookie,
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
    .get('/items', limitSearches, compress, notModified, handlers.listItems)
    .get('/items/filters', compress, notModified, handlers.showFilters)
    .get('/items/locations', limitNames, compress, notModified, handlers.showLocations)
    .get('/items/tags', limitNames, compress, notModified, handlers.showTags)
    .get('/items.csv', limitExports, handlers.showCsv)
    .get('/items/print', limitExports, handlers.printItems)
    .group('/items', requireMember, (members) =>
      members
        .get('/new', add.show)
        .post('', ...add.post)
        .get('/rename', rename.show)
        .post('/rename', ...rename.post)
        .get('/select', limitSearches, handlers.carryTicks, select.show)
        .post('/select', ...select.post)
        .get('/count', limitSearches, countItems.show)
        .post('/count', ...countItems.post)
        .get('/count/differences', correct.show)
        .post('/count/differences', ...correct.post)
        .get('/bin', handlers.showBin)
        .post('/history/batches/:batch<int>/undo', limitUndos, ...undoAll.post)
        .get('/import', upload.show)
        .post('/import', limitUploads, ...upload.post)
        .group('/imports/:id<int>', (one) =>
          one
            .get('', handlers.showImport)
            .get('/columns', columns.show)
            .post('/columns', limitUploads, ...columns.post)
            .get('/refused.csv', handlers.showRefused)
            .post('/run', ...runImport.post)
            .post('/stop', ...stopImport.post),
        ),
    )
    .group('/items/:number<int>', (item) =>
      item
        .get('', limitSearches, compress, notModified, handlers.showItem)
        .get('/history', requireSession, handlers.showItemHistory)
        .group('', requireMember, (members) =>
          members
            .get('/edit', edit.show)
            .post('/edit', ...edit.post)
            .get('/quantity', count.show)
            .post('/quantity', ...count.post)
            .get('/lend', lend.show)
            .post('/lend', ...lend.post)
            .post('/return', ...takeBack.post)
            .post('/delete', ...deleteItem.post)
            .post('/restore', ...restore.post)
            .post('/history/:event<int>/undo', ...undo.post),
        )
        .group('', requireAdministrator, (administrators) =>
          administrators
            .get('/remove', removeItem.show)
            .post('/remove', ...removeItem.post)
            .group('/history/:event<int>/remove', (event) =>
              event.get('', removeValue.show).post('', ...removeValue.post),
            ),
        ),
    )
    .get('/items/held', limitNames, handlers.showHeld)
    .group('/items/history', requireSession, limitSearches, (readers) =>
      readers.get('', handlers.showHistory).get('/batches/:batch<int>', handlers.showBatch),
    )
    .group('/account', requireSession, (users) =>
      users
        .get('', password.show)
        .get('/list', listView.show)
        .post('/list', ...listView.post)
        .post('/password', ...password.post)
        .get('/name', name.show)
        .post('/name', ...name.post)
        .get('/mail', requireMailer, address.show)
        .post('/mail', requireMailer, limitMails, ...address.post)
        .get('/sessions/end', endOwn.show)
        .post('/sessions/end', ...endOwn.post),
    )
    .get('/people', requireSession, invite.show)
    .group('/people', requireAdministrator, (administrators) =>
      administrators
        .post('/invitations', ...invite.post)
        .post('/invitations/withdraw', ...withdraw.post)
        .get('/:id<int>', changeRole.show)
        .post('/:id<int>/role', ...changeRole.post)
        .post('/:id<int>/reset', ...makeLink.post)
        .post('/:id<int>/remove', ...removePerson.post)
        .post('/:id<int>/restore', ...restorePerson.post),
    )
    .get('/register', register.show)
    .post('/register', limitRegistrations, ...register.post)
    .get('/reset-password', reset.show)
    .post('/reset-password', ...reset.post)
    .get('/mail', requireMailer, switchMails.show)
    .post('/mail', requireMailer, ...switchMails.post)
    .get('/login', logIn.show)
    .post('/login', ...logIn.post)
    .post('/logout', handlers.logOut)
    .get('/forget.css', handlers.forgetPages)
    .post('/draft/discard', requireSession, ...discard.post)
    .get('/healthz', handlers.showHealth)
    .get('/readyz', handlers.showReadiness);
}
