/** What SQLite and PostgreSQL have in common, and the stores of receipts and sessions over either. */
export { answerUnavailable } from './src/database/answer-unavailable.ts';
export { createStores } from './src/database/create-stores.ts';
export {
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
