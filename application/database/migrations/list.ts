/**
 * The migrations in the order they run in: every other file of this folder with a number. Each is loaded when it
 * has to run. Never change one that was released.
 */
import type { Migration } from 'kysely/migration';

export const MIGRATIONS: Readonly<Record<string, () => Promise<Migration>>> = {
  '0001-first-release': () => import('./0001-first-release.ts'),
  '0002-item-serial': () => import('./0002-item-serial.ts'),
  '0003-revisions': () => import('./0003-revisions.ts'),
  '0004-due-mails': () => import('./0004-due-mails.ts'),
  '0005-order-and-rank': () => import('./0005-order-and-rank.ts'),
  '0006-counts': () => import('./0006-counts.ts'),
  '0007-loans': () => import('./0007-loans.ts'),
  '0008-accounts': () => import('./0008-accounts.ts'),
  '0009-product-code': () => import('./0009-product-code.ts'),
  '0010-own-fields': () => import('./0010-own-fields.ts'),
  '0011-labels': () => import('./0011-labels.ts'),
  '0012-places': () => import('./0012-places.ts'),
  '0013-item-files': () => import('./0013-item-files.ts'),
  '0014-field-changes': () => import('./0014-field-changes.ts'),
  '0015-import-fields': () => import('./0015-import-fields.ts'),
  '0016-import-photos': () => import('./0016-import-photos.ts'),
  '0017-place-pictures': () => import('./0017-place-pictures.ts'),
};
