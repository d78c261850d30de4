/** The roles, which the settings name too. */
export { ROLES, type Role, toRole } from '../settings/role.ts';
