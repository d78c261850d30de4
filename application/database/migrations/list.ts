/**
 * The migrations in the order they run in: every other file of this folder with a number. Each is loaded when it
 * has to run. Never change one that has landed.
 */
import type { Migration } from 'kysely/migration';

export const MIGRATIONS: Readonly<Record<string, () => Promise<Migration>>> = {
  '0001-first-tables': () => import('./0001-first-tables.ts'),
  '0002-accounts-and-sessions': () => import('./0002-accounts-and-sessions.ts'),
  '0004-editions': () => import('./0004-editions.ts'),
  '0005-large-lists': () => import('./0005-large-lists.ts'),
  '0006-account-states': () => import('./0006-account-states.ts'),
  '0007-item-events': () => import('./0007-item-events.ts'),
  '0008-roles': () => import('./0008-roles.ts'),
  '0009-loans': () => import('./0009-loans.ts'),
  '0010-imports': () => import('./0010-imports.ts'),
  '0011-item-facets': () => import('./0011-item-facets.ts'),
  '0012-batches': () => import('./0012-batches.ts'),
  '0013-account-notices': () => import('./0013-account-notices.ts'),
  '0014-word-index': () => import('./0014-word-index.ts'),
  '0015-outermost-locations': () => import('./0015-outermost-locations.ts'),
  '0016-session-data': () => import('./0016-session-data.ts'),
  '0017-import-columns': () => import('./0017-import-columns.ts'),
  '0019-whole-history': () => import('./0019-whole-history.ts'),
  '0021-invitation-tokens': () => import('./0021-invitation-tokens.ts'),
  '0022-item-vocabulary': () => import('./0022-item-vocabulary.ts'),
  '0023-list-view': () => import('./0023-list-view.ts'),
  '0027-item-sources': () => import('./0027-item-sources.ts'),
};
