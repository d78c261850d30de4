/**
 * Cheap hashes for tests that are not about passwords: the same Argon2id with little work.
 */
import type { PasswordOptions } from 'seeother/accounts';

export const CHEAP: PasswordOptions = { argon2id: { memory: 64, passes: 1 } };
