/**
 * What a person may do. A reader reads the items; a member changes them too; an administrator also
 * manages people. The first account is an administrator, and one always remains.
 */

/** From the least to the most. */
export const ROLES = ['reader', 'member', 'administrator'] as const;

export type Role = (typeof ROLES)[number];

/** A text that this release does not know, for example from a newer one, gives the least. */
export function toRole(text: string): Role {
  return ROLES.find((role) => role === text) ?? 'reader';
}
