/**
 * Cheap hashes for tests that are not about passwords: the same Argon2id with little work.
 */
import { createPasswords } from 'seeother/accounts';

export const CHEAP = createPasswords({ argon2id: { memory: 64, passes: 1 } });
