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
import { createRequireRole } from './accounts/require-role.ts';
import { createShowFailure } from './errors/failures.ts';
import { leadToNewAddress } from './errors/lead-to-new-address.ts';
import { showUnknownAddress } from './errors/show-unknown-address.ts';
import { addFieldRoutes } from './field-routes.ts';
import { createHandlers, type HandlerParts } from './handlers.ts';
import { UPLOADS } from './imports/import-forms.ts';
import { createLimits } from './limits.ts';
import { addPlaceRoutes } from './place-routes.ts';
import { HEALTH_CHECKS } from './site/health.ts';
import { showHelp } from './site/help-page.ts';
import { PAGE_POLICY } from './site/page-policy.ts';

export interface Parts extends Omit<HandlerParts, 'now'> {
  readonly files: StaticFiles;
  readonly log: (line: string) => void;
  readonly report: (report: ErrorReport) => void;
  /** The clock of the sessions and of the days that the list names. */
  readonly now?: () => Date;
  /** What stands around the application's own chain, such as `serverTiming`. */
  readonly around?: readonly Middleware[];
}

/** The redirect of a repeated form looks as that of the first one, so a message says that nothing was done again. */
const REPEATED =
  'This form was carried out when you first sent it, and not again now. To do it again, open a new form.';

export function createApplication(parts: Parts) {
  const { config, models, files, log, report, logSecurity, around = [] } = parts;
  const { now = () => new Date() } = parts;
  const guards = createRequireRole(models.people);
  const { requireMember, requireAdministrator } = guards;
  const { limitExports, limitNames, limitSearches, ...limits } = createLimits(logSecurity);
  const handlers = createHandlers({ ...parts, now });
  const compress = compressPages();
  const notModified = answerNotModified(handlers.itemsVersion);

  const site = createSite(models, {
    around,
    publicOrigin: config.publicOrigin,
    // Nothing that a health check does may wait for the database, or write to it.
    except: HEALTH_CHECKS,
    log: { write: log, users: config.logUsers, format: config.logFormat },
    headers: { policy: PAGE_POLICY },
    errors: { page: createShowFailure(models.accounts), report },
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
    crossOrigin: { onRefused: (request, why) => logSecurity('origin refused', request, null, why) },
    forms: { limit: config.bodyLimit, repeatedMessage: REPEATED, script: true, uploads: UPLOADS },
  })
    .use(logRefusals(logSecurity))
    .use(leadToNewAddress)
    .use(showUnknownAddress);
  return models.accounts
    .addTo(site)
    .get('/', handlers.goToItems)
    .get('/items', limitSearches, compress, notModified, handlers.listItems)
    .get('/items/filters', compress, notModified, handlers.showFilters)
    .get('/items/locations', handlers.leadToPlaces)
    .get('/items/tags', limitNames, compress, notModified, handlers.showTags)
    .get('/items.csv', limitExports, handlers.showCsv)
    .get('/items/print', limitExports, handlers.printItems)
    .group('/items', requireMember, (members) =>
      members
        .get('/new', handlers.add.show)
        .post('', ...handlers.add.post)
        .get('/rename', handlers.rename.show)
        .post('/rename', ...handlers.rename.post)
        .get('/select', limitSearches, handlers.carryTicks, handlers.select.show)
        .post('/select', ...handlers.select.post)
        .get('/count', limitSearches, handlers.countItems.show)
        .post('/count', ...handlers.countItems.post)
        .get('/count/differences', handlers.correct.show)
        .post('/count/differences', ...handlers.correct.post)
        .get('/lend', handlers.lendThings.show)
        .post('/lend', ...handlers.lendThings.post)
        .get('/return', handlers.returnThings.show)
        .post('/return', ...handlers.returnThings.post)
        .get('/labels', limitSearches, handlers.labels.show)
        .post('/labels', ...handlers.labels.post)
        .get('/labels/print', limits.limitLabels, compress, handlers.showLabels)
        .get('/labels/sheet.css', handlers.showLabelCss)
        .get('/labels/labels.pdf', limits.limitLabels, handlers.showLabelPdf)
        .get('/bin', handlers.showBin)
        .post('/history/batches/:batch<int>/undo', limits.limitUndos, ...handlers.undoAll.post)
        .get('/import', handlers.upload.show)
        .post('/import', limits.limitUploads, ...handlers.upload.post)
        .group('/imports/:id<int>', (one) =>
          one
            .get('', handlers.showImport)
            .get('/columns', handlers.columns.show)
            .post('/columns', limits.limitUploads, ...handlers.columns.post)
            .get('/refused.csv', handlers.showRefused)
            .post('/run', ...handlers.runImport.post)
            .post('/stop', ...handlers.stopImport.post),
        ),
    )
    .group('/items/:number<int>', (item) =>
      item
        .get('', limitSearches, compress, notModified, handlers.showItem)
        .get('/history', requireSession, handlers.showItemHistory)
        .get('/files/:file<int>', handlers.changePhoto.show)
        .group('', requireMember, (members) =>
          members
            .get('/files', handlers.addPhotos.show)
            .post('/files', ...handlers.addPhotos.post)
            .post('/files/:file<int>', ...handlers.changePhoto.post)
            .get('/files/:file<int>/original', handlers.serveOriginal)
            .get('/edit', handlers.edit.show)
            .post('/edit', ...handlers.edit.post)
            .get('/quantity', handlers.count.show)
            .post('/quantity', ...handlers.count.post)
            .get('/lend', handlers.lend.show)
            .post('/lend', ...handlers.lend.post)
            .post('/return', ...handlers.takeBack.post)
            .post('/delete', ...handlers.deleteItem.post)
            .post('/restore', ...handlers.restore.post)
            .post('/history/:event<int>/undo', ...handlers.undo.post),
        )
        .group('', requireAdministrator, (administrators) =>
          administrators
            .get('/remove', handlers.removeItem.show)
            .post('/remove', ...handlers.removeItem.post)
            .group('/history/:event<int>/remove', (event) =>
              event.get('', handlers.removeValue.show).post('', ...handlers.removeValue.post),
            )
            .get('/files/:file<int>/remove', handlers.removeFile.show)
            .post('/files/:file<int>/remove', ...handlers.removeFile.post),
        )
        .get('/files/:file<int>/:hash', handlers.serveFile),
    )
    .get('/i/:number<int>', handlers.goToItem)
    .group('/places', (places) =>
      addPlaceRoutes(places, guards, handlers, { compress, ...limits, limitNames, limitSearches }),
    )
    .get('/p/:id<int>', handlers.leadToPlace)
    .get('/items/held', limitNames, handlers.showHeld)
    .get('/items/counts', requireSession, handlers.showCounts)
    .get('/items/counts/:count<int>', requireSession, handlers.showCountRecord)
    .get('/items/counts/:count<int>/count.csv', requireSession, handlers.showCountFile)
    .group('/items/history', requireSession, limitSearches, (readers) =>
      readers.get('', handlers.showHistory).get('/batches/:batch<int>', handlers.showBatch),
    )
    .group('/account', requireSession, (users) =>
      users
        .get('/list', handlers.listView.show)
        .post('/list', ...handlers.listView.post)
        .get('/mail', handlers.requireMailer, handlers.address.show)
        .post('/mail', handlers.requireMailer, limits.limitMails, ...handlers.address.post),
    )
    .get('/scan', requireMember, handlers.allowCamera, handlers.scan.show)
    .post('/scan', requireMember, handlers.allowCamera, ...handlers.scan.post)
    .group('/fields', requireSession, (fields) => addFieldRoutes(fields, guards, handlers, limits))
    .get('/help', compress, showHelp)
    .get('/mail', handlers.requireMailer, handlers.switchMails.show)
    .post('/mail', handlers.requireMailer, ...handlers.switchMails.post)
    .post('/draft/discard', requireSession, ...discard.post)
    .get('/healthz', handlers.showHealth)
    .get('/readyz', handlers.showReadiness);
}
