/**
 * Cheap password parameters for tests that are not about passwords: the same Argon2id with little work.
 */
import type { PasswordCost } from '../accounts/password.ts';

export const CHEAP: PasswordCost = { memory: 64, passes: 1 };
