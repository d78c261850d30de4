/** What passwords cost in tests that are not about them: the same Argon2id, with next to no work. */
import type { PasswordCost } from '../accounts/password.ts';

export const CHEAP: PasswordCost = { memory: 64, passes: 1 };
