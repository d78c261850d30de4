/** The message after a log-in about changes of the account. */
import { formatTime } from '../site/format.ts';
import { toRole } from '../site/role.ts';
import type { Notice, PasswordChange } from '../site/session-user.ts';
import { ROLE_NAMES } from './role-page.ts';

const NOT_YOU = 'If this was not you, tell an administrator.';

const PASSWORD: Readonly<Record<PasswordChange, (time: string) => string>> = {
  changed: (time) => `Your password was changed on ${time}. ${NOT_YOU}`,
  link: (time) => `Your password was reset with a link on ${time}. ${NOT_YOU}`,
  reset: (time) => `An administrator reset your password on ${time}.`,
};

export function describeNotices(notices: readonly Notice[]): string {
  return notices.map(describe).join(' ');
}

function describe({ kind, at, detail }: Notice): string {
  const time = formatTime(new Date(at));
  if (kind === 'password') return PASSWORD[detail as PasswordChange](time);
  return `An administrator changed your role to ${ROLE_NAMES[toRole(detail)].toLowerCase()} on ${time}.`;
}
