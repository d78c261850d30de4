/** Every route of the application. The middleware of all of them is in chain.ts. */
import {
  answerNotModified,
  compressPages,
  createRouter,
  onlyOnce,
  readForm,
  requireSession,
} from 'seeother';
import { readUpload } from 'seeother/upload';
import {
  endSessionsForm,
  logInForm,
  passwordForm,
  registrationForm,
} from './accounts/account-forms.ts';
import { discardDraft } from './accounts/discard-draft.ts';
import {
  inviteForm,
  resetForm,
  resetLinkForm,
  roleForm,
  withdrawForm,
} from './accounts/people-forms.ts';
import { createRequireRole } from './accounts/require-role.ts';
import { type ChainParts, createChain } from './chain.ts';
import { DRAFT_LIMIT } from './errors/failures.ts';
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

export interface Parts extends Omit<HandlerParts & ChainParts, 'now'> {
  /** The clock of the sessions and of the days that the list names. */
  readonly now?: () => Date;
}

/** After Back, nothing else tells that the same form did nothing this time. */
const REPEATED =
  'This form was carried out when you first sent it, and not again now. To do it again, open a new form.';

/** `router` may hold what stands outside the application's own chain, such as `serverTiming`. */
export function createApplication(parts: Parts, router = createRouter()) {
  const { config, models, now = () => new Date() } = parts;
  const { people, receipts, sessions } = models;
  const limit = config.bodyLimit;
  const { requireMember, requireAdministrator } = createRequireRole(people, limit);
  const once = onlyOnce(receipts, sessions, { repeatedMessage: REPEATED });
  const handlers = createHandlers({ ...parts, now });
  const limits = createLimits({ ...config, ...parts });

  return createChain({ ...parts, now }, router)
    .get('/', handlers.goToItems)
    .get(
      '/items',
      limits.limitSearches,
      compressPages(),
      answerNotModified(handlers.itemsVersion),
      handlers.listItems,
    )
    .get('/items/new', requireMember, handlers.showItemForm)
    .post(
      '/items',
      requireMember,
      readForm(itemForm, { limit, page: '/items/new' }),
      once,
      handlers.createItem,
      handlers.showItemForm,
    )
    .get('/items/locations', handlers.showLocations)
    .get('/items/tags', handlers.showTags)
    .get('/items/rename', requireMember, handlers.showRenameForm)
    .post(
      '/items/rename',
      requireMember,
      readForm(renameForm, { limit }),
      once,
      handlers.rename,
      handlers.showRenameForm,
    )
    .get('/items/select', requireMember, limits.limitSearches, handlers.showSelection)
    .post(
      '/items/select',
      requireMember,
      readForm(selectionForm, { limit }),
      once,
      handlers.changeSelected,
      handlers.showSelection,
    )
    .get(
      '/items/filters',
      compressPages(),
      answerNotModified(handlers.itemsVersion),
      handlers.showFilters,
    )
    .get('/items/history', requireSession, handlers.showHistory)
    .get('/items/history/batches/:batch(\\d+)', requireSession, handlers.showBatch)
    .post(
      '/items/history/batches/:batch(\\d+)/undo',
      requireMember,
      limits.limitUndos,
      readForm(buttonForm, { limit }),
      once,
      handlers.undoWholeBatch,
    )
    .get('/items/bin', requireMember, handlers.showBin)
    .get(
      '/items/:number(\\d+)',
      limits.limitSearches,
      compressPages(),
      answerNotModified(handlers.itemsVersion),
      handlers.showItem,
    )
    .get('/items/:number(\\d+)/edit', requireMember, handlers.showEditForm)
    .post(
      '/items/:number(\\d+)/edit',
      requireMember,
      readForm(editForm, { limit }),
      once,
      handlers.editItem,
      handlers.showEditForm,
    )
    .get('/items/:number(\\d+)/quantity', requireMember, handlers.showQuantityForm)
    .post(
      '/items/:number(\\d+)/quantity',
      requireMember,
      readForm(quantityForm, { limit }),
      once,
      handlers.countItem,
      handlers.showQuantityForm,
    )
    .get('/items/:number(\\d+)/lend', requireMember, handlers.showLendForm)
    .post(
      '/items/:number(\\d+)/lend',
      requireMember,
      readForm(lendForm, { limit }),
      once,
      handlers.lendItem,
      handlers.showLendForm,
    )
    .post(
      '/items/:number(\\d+)/return',
      requireMember,
      readForm(returnForm, { limit }),
      once,
      handlers.returnItem,
    )
    .post(
      '/items/:number(\\d+)/delete',
      requireMember,
      readForm(buttonForm, { limit }),
      once,
      handlers.deleteItem,
    )
    .post(
      '/items/:number(\\d+)/restore',
      requireMember,
      readForm(buttonForm, { limit }),
      once,
      handlers.restoreItem,
    )
    .get('/items/:number(\\d+)/remove', requireAdministrator, handlers.showRemoveItem)
    .post(
      '/items/:number(\\d+)/remove',
      requireAdministrator,
      readForm(buttonForm, { limit }),
      once,
      handlers.removeItem,
    )
    .get('/items/:number(\\d+)/history', requireSession, handlers.showItemHistory)
    .post(
      '/items/:number(\\d+)/history/:event(\\d+)/undo',
      requireMember,
      readForm(buttonForm, { limit }),
      once,
      handlers.undoChange,
    )
    .get(
      '/items/:number(\\d+)/history/:event(\\d+)/remove',
      requireAdministrator,
      handlers.showRemoveValue,
    )
    .post(
      '/items/:number(\\d+)/history/:event(\\d+)/remove',
      requireAdministrator,
      readForm(removeValueForm, { limit }),
      once,
      handlers.removeValue,
      handlers.showRemoveValue,
    )
    .get('/items/import', requireMember, handlers.showImportForm)
    .post(
      '/items/import',
      requireMember,
      limits.limitUploads,
      readUpload(importForm, { limit, page: '/items/import' }),
      once,
      handlers.uploadImport,
      handlers.showImportForm,
    )
    .get('/items/imports/:id(\\d+)', requireMember, handlers.showImport)
    .post(
      '/items/imports/:id(\\d+)/run',
      requireMember,
      readForm(confirmForm, { limit, page: '/items/import' }),
      once,
      handlers.runImport,
    )
    .post(
      '/items/imports/:id(\\d+)/stop',
      requireMember,
      readForm(buttonForm, { limit, page: '/items/import' }),
      once,
      handlers.stopImport,
    )

    .get('/register', handlers.showRegistration)
    .post(
      '/register',
      limits.limitRegistrations,
      readForm(registrationForm, { limit }),
      handlers.register,
      handlers.showRegistration,
    )
    .get('/reset-password', handlers.showReset)
    .post(
      '/reset-password',
      readForm(resetForm, { limit }),
      handlers.resetPassword,
      handlers.showReset,
    )
    .get('/login', handlers.openLogIn)
    .post('/login', readForm(logInForm, { limit: DRAFT_LIMIT }), handlers.logIn, handlers.showLogIn)
    .post('/logout', handlers.logOut)
    .get('/forget.css', handlers.forgetPages)
    .post('/draft/discard', requireSession, discardDraft)

    .get('/account', requireSession, handlers.showAccount)
    .post(
      '/account/password',
      requireSession,
      readForm(passwordForm, { limit, page: '/account' }),
      onlyOnce(receipts),
      handlers.changePassword,
      handlers.showAccount,
    )
    .get('/account/sessions/end', requireSession, handlers.showEndSessions)
    .post(
      '/account/sessions/end',
      requireSession,
      readForm(endSessionsForm, { limit, page: '/account' }),
      handlers.endOwnSessions,
      handlers.showEndSessions,
    )

    .get('/people', requireSession, handlers.showPeople)
    .post(
      '/people/invitations',
      requireAdministrator,
      readForm(inviteForm, { limit, page: '/people' }),
      once,
      handlers.invite,
      handlers.showPeople,
    )
    .post(
      '/people/invitations/withdraw',
      requireAdministrator,
      readForm(withdrawForm, { limit, page: '/people' }),
      handlers.withdrawInvitation,
    )
    .get('/people/:id(\\d+)', requireAdministrator, handlers.showPerson)
    .post(
      '/people/:id(\\d+)/role',
      requireAdministrator,
      readForm(roleForm, { limit, page: '/people' }),
      handlers.changeRole,
      handlers.showPerson,
    )
    .post(
      '/people/:id(\\d+)/reset',
      requireAdministrator,
      readForm(resetLinkForm, { limit, page: '/people' }),
      once,
      handlers.makeResetLink,
    )
    .post('/people/:id(\\d+)/remove', requireAdministrator, handlers.removePerson)
    .post('/people/:id(\\d+)/restore', requireAdministrator, handlers.restorePerson)

    .get('/items.csv', limits.limitExports, handlers.showCsv)
    .get('/healthz', handlers.showHealth)
    .get('/readyz', handlers.showReadiness);
}
