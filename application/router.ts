/**
 * The application: the options of its site, and every route. Each form has two handlers, made by `formHandlers`. The
 * middleware `send` carries a valid form out; for a refused form it calls `next`, and `show` answers with its page.
 */
import {
  answerNotModified,
  compressPages,
  createSite,
  type Middleware,
  readForm,
  requireSession,
} from 'seeother';
import type { ErrorReport, StaticFiles } from 'seeother/middleware';
import { discard } from './accounts/discard-draft.ts';
import { logRefusals } from './accounts/log-refusals.ts';
import { requireOwnPassword } from './accounts/require-own-password.ts';
import { requireReader } from './accounts/require-reader.ts';
import { createRequireRole } from './accounts/require-role.ts';
import { DRAFT_LIMIT, showFailure } from './errors/failures.ts';
import { showUnknownAddress } from './errors/show-unknown-address.ts';
import { createHandlers, type HandlerParts } from './handlers.ts';
import { createLimits } from './limits.ts';
import { buttonForm } from './site/button-form.ts';
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
 * The script of the pages, which fetches pages. So does Lighthouse, which reports a robots.txt that it may not read.
 */
const PAGE_POLICY = { 'script-src': [SCRIPT_SOURCE], 'connect-src': ["'self'"] } as const;

/** After Back, nothing else tells that the same form did nothing this time. */
const REPEATED =
  'This form was carried out when you first sent it, and not again now. To do it again, open a new form.';

/** The pages of forms that are sent to another address. */
const IMPORT = { page: '/items/import' };
const ONE_IMPORT = { page: '/items/imports/:id<int>' };
const ITEM = { page: '/items/:number<int>' };
const ACCOUNT = { page: '/account' };
const PEOPLE = { page: '/people' };
const PERSON = { page: '/people/:id<int>' };

export function createApplication(parts: Parts) {
  const { config, models, files, log, report, logSecurity, around = [] } = parts;
  const { now = () => new Date() } = parts;
  const { requireMember, requireAdministrator } = createRequireRole(models.people);
  const limits = createLimits({ ...config, ...parts });
  const { limitExports, limitNames, limitRegistrations, limitSearches } = limits;
  const { limitUndos, limitUploads } = limits;
  const handlers = createHandlers({ ...parts, now });
  const { add, rename, select, edit, count, lend, takeBack, deleteItem, restore, undo } = handlers;
  const { countItems, correct, undoAll, removeItem, removeValue, restorePerson } = handlers;
  const { upload, columns, runImport, stopImport, changeRole, makeLink, removePerson } = handlers;
  const { listView, register, reset, logIn, password, name, endOwn, invite, withdraw } = handlers;
  const compress = compressPages();
  const notModified = answerNotModified(handlers.itemsVersion);
  const readButton = readForm(buttonForm, ITEM);
  const readPersonButton = readForm(buttonForm, PERSON);

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
        .post('', readForm(add.form, { page: '/items/new' }), add.send, add.show)
        .get('/rename', rename.show)
        .post('/rename', readForm(rename.form), rename.send, rename.show)
        .get('/select', limitSearches, handlers.carryTicks, select.show)
        .post('/select', readForm(select.form), select.send, select.show)
        .get('/count', limitSearches, countItems.show)
        .post('/count', readForm(countItems.form), countItems.send, countItems.show)
        .get('/count/differences', correct.show)
        .post('/count/differences', readForm(correct.form), correct.send, correct.show)
        .get('/bin', handlers.showBin)
        .post(
          '/history/batches/:batch<int>/undo',
          limitUndos,
          readForm(buttonForm, { page: '/items/history/batches/:batch<int>' }),
          undoAll.send,
          undoAll.show,
        )
        .get('/import', upload.show)
        .post('/import', limitUploads, readForm(upload.form, IMPORT), upload.send, upload.show)
        .group('/imports/:id<int>', (one) =>
          one
            .get('', handlers.showImport)
            .get('/columns', columns.show)
            .post('/columns', limitUploads, readForm(columns.form), columns.send, columns.show)
            .get('/refused.csv', handlers.showRefused)
            .post('/run', readForm(runImport.form, ONE_IMPORT), runImport.send, runImport.show)
            .post('/stop', readForm(stopImport.form, ONE_IMPORT), stopImport.send, stopImport.show),
        ),
    )
    .group('/items/:number<int>', (item) =>
      item
        .get('', limitSearches, compress, notModified, handlers.showItem)
        .get('/history', requireSession, handlers.showItemHistory)
        .group('', requireMember, (members) =>
          members
            .get('/edit', edit.show)
            .post('/edit', readForm(edit.form), edit.send, edit.show)
            .get('/quantity', count.show)
            .post('/quantity', readForm(count.form), count.send, count.show)
            .get('/lend', lend.show)
            .post('/lend', readForm(lend.form), lend.send, lend.show)
            .post('/return', readForm(takeBack.form, ITEM), takeBack.send, takeBack.show)
            .post('/delete', readButton, deleteItem.send, deleteItem.show)
            .post('/restore', readButton, restore.send, restore.show)
            .post('/history/:event<int>/undo', readButton, undo.send, undo.show),
        )
        .group('', requireAdministrator, (administrators) =>
          administrators
            .get('/remove', removeItem.show)
            .post('/remove', readButton, removeItem.send, removeItem.show)
            .group('/history/:event<int>/remove', (event) =>
              event
                .get('', removeValue.show)
                .post('', readForm(removeValue.form), removeValue.send, removeValue.show),
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
        .post('/list', readForm(listView.form), listView.send, listView.show)
        .post('/password', readForm(password.form, ACCOUNT), password.send, password.show)
        .get('/name', name.show)
        .post('/name', readForm(name.form), name.send, name.show)
        .get('/sessions/end', endOwn.show)
        .post('/sessions/end', readForm(endOwn.form, ACCOUNT), endOwn.send, endOwn.show),
    )
    .get('/people', requireSession, invite.show)
    .group('/people', requireAdministrator, (administrators) =>
      administrators
        .post('/invitations', readForm(invite.form, PEOPLE), invite.send, invite.show)
        .post(
          '/invitations/withdraw',
          readForm(withdraw.form, PEOPLE),
          withdraw.send,
          withdraw.show,
        )
        .get('/:id<int>', changeRole.show)
        .post('/:id<int>/role', readForm(changeRole.form, PERSON), changeRole.send, changeRole.show)
        .post('/:id<int>/reset', readForm(makeLink.form, PERSON), makeLink.send, makeLink.show)
        .post('/:id<int>/remove', readPersonButton, removePerson.send, removePerson.show)
        .post('/:id<int>/restore', readPersonButton, restorePerson.send, restorePerson.show),
    )
    .get('/register', register.show)
    .post('/register', limitRegistrations, readForm(register.form), register.send, register.show)
    .get('/reset-password', reset.show)
    .post('/reset-password', readForm(reset.form), reset.send, reset.show)
    .get('/login', logIn.show)
    .post('/login', readForm(logIn.form, { limit: DRAFT_LIMIT }), logIn.send, logIn.show)
    .post('/logout', handlers.logOut)
    .get('/forget.css', handlers.forgetPages)
    .post('/draft/discard', requireSession, readForm(discard.form), discard.send, discard.show)
    .get('/healthz', handlers.showHealth)
    .get('/readyz', handlers.showReadiness);
}
