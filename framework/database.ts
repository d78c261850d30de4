/**
 * What SQLite and PostgreSQL have in common; over either, an outbox, and stores of sessions, receipts, values and
 * rates.
 */
export { type Audit, type AuditEntry, createAudit } from './src/audit/audit.ts';
export { createStores } from './src/database/create-stores.ts';
export {
  type CachedConnection,
  type Connection,
  type Database,
  DatabaseUnavailable,
  type DiskTrouble,
  type OpenOptions,
  type Outcome,
  type Result,
  type Value,
  type WriteTransaction,
} from './src/database/database.ts';
export { OUT_OF_DESCRIPTORS } from './src/database/descriptors.ts';
export type { Attempt } from './src/database/job.ts';
export {
  createOutbox,
  type Outbox,
  type OutboxOptions,
} from './src/database/outbox.ts';
export type { FailedJob } from './src/database/outbox-table.ts';
export { createRateStore } from './src/database/rate-store.ts';
export type { ScheduleState } from './src/database/schedule-table.ts';
export type { ValueStore } from './src/form/value-store.ts';
export type { ReceiptKey, ReceiptStore } from './src/once/receipt-store.ts';
export type { SessionStore } from './src/session/session-store.ts';
export type { Stores } from './src/site/stores.ts';
