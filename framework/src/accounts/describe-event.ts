/** The events of the security log in words. */
import type { Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import type { AccountText } from '../language/account-texts.ts';
import { cacheFormats } from '../language/formats.ts';
import type { AccountEvent, EventKind } from './account-events.ts';
import { sayIn } from './say.ts';

const TEXTS: Readonly<Record<EventKind, AccountText>> = {
  registered: 'The account was created.',
  'logged in': 'You logged in.',
  'log-in failed': 'A log-in failed.',
  'second factor failed': 'A second factor was wrong.',
  'logged out': 'You logged out.',
  'session ended': 'A device was logged out.',
  'password changed': 'The password was changed.',
  'password reset': 'The password was reset.',
  'address changed': 'The email address was changed.',
  'second factor added': 'One-time codes were switched on.',
  'second factor removed': 'The second factor was switched off.',
  'recovery code used': 'A recovery code was used.',
  'recovery codes made': 'New recovery codes were made.',
  'passkey added': 'A passkey was added.',
  'passkey removed': 'A passkey was removed.',
  'passkey refused': 'A passkey was refused.',
  'provider linked': 'A company account was linked.',
  'provider removed': 'A linked company account was removed.',
  'link made': 'An administrator made a link for a new password.',
  invited: 'An invitation was made.',
  'invitation withdrawn': 'An invitation was withdrawn.',
  'role changed': 'The role was changed.',
  disabled: 'The account was disabled.',
  enabled: 'The account was enabled.',
  deleted: 'The account was deleted.',
};

export function describeEvent({ kind }: Pick<AccountEvent, 'kind'>, request: Request): string {
  return sayIn(request)(TEXTS[kind]);
}

/** For the page after the log-in. */
export function describeEvents(events: readonly AccountEvent[], request: Request): string {
  const lines = events.map(
    (event) => `${formatInstant(event.at, request)}: ${describeEvent(event, request)}`,
  );
  return [...lines, sayIn(request)('If this was not you, tell an administrator.')].join(' ');
}

const formatOf = cacheFormats(
  (code: string) =>
    new Intl.DateTimeFormat(code, { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' }),
);

/** In the language of the request, and in UTC. */
export function formatInstant(at: Date, request: Request): string {
  const { code } = languageOf(request);
  return formatOf(code, code).format(at);
}
