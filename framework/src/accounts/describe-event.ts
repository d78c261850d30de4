/** The events of the security log in words. */
import type { Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import type { AccountText } from '../language/account-texts.ts';
import type { EventKind, StoredEvent } from './account-events.ts';
import type { CheckedOptions } from './account-options.ts';
import { formatInstant } from './instants.ts';
import { sayIn, text } from './say.ts';

const TEXTS: Readonly<Record<EventKind, AccountText>> = {
  registered: 'The account was created.',
  'logged in': 'Logged in.',
  'log-in failed': 'A log-in failed.',
  'second factor failed': 'The second factor was incorrect.',
  'logged out': 'Logged out.',
  'session ended': 'A device was logged out.',
  'other sessions ended': 'All other devices were logged out.',
  'password changed': 'The password was changed.',
  'password reset': 'The password was reset.',
  'address changed': 'The email address was changed.',
  'second factor added': 'A second factor was switched on.',
  'second factor removed': 'The second factor was switched off.',
  'recovery code used': 'A recovery code was used.',
  'recovery codes made': 'New recovery codes were made.',
  'passkey added': 'A passkey was added.',
  'passkey removed': 'A passkey was removed.',
  'passkey refused': 'A passkey was refused.',
  'provider linked': 'A company account was linked.',
  'provider removed': 'A linked company account was removed.',
  'role ignored': 'A role of the company account was ignored.',
  'link made': 'An administrator made a link for a new password.',
  invited: 'An invitation was made.',
  'invitation withdrawn': 'An invitation was withdrawn.',
  'role changed': 'The role was changed.',
  disabled: 'The account was disabled.',
  enabled: 'The account was enabled.',
  deleted: 'The account was deleted.',
};

export function describeEvent({ kind }: Pick<StoredEvent, 'kind'>, request: Request): string {
  return sayIn(request)(TEXTS[kind]);
}

/** The role as the site calls it, in the language of the request. */
export function nameRole(
  { people }: Pick<CheckedOptions, 'people'>,
  role: string,
  request: Request,
): string {
  return languageOf(request).translate(people.roleText(role));
}

/** With the new role: for a mail, and for the page after a log-in. */
export function describeTold(
  { people }: Pick<CheckedOptions, 'people'>,
  { kind, detail }: Pick<StoredEvent, 'kind' | 'detail'>,
  request: Request,
): string {
  const told = describeEvent({ kind }, request);
  if (kind !== 'role changed') return told;
  const role = nameRole({ people }, detail, request);
  return `${told} ${sayIn(request)('The new role is {role}.', { role })}`;
}

/** What was proved for a log-in. */
const PROVED = new Map<string, AccountText>([
  ['password', text('Password')],
  ['link', text('Link by email')],
  ['passkey', text('Passkey')],
  ['provider', text('Company account')],
  ['second factor', text('One-time code')],
  ['recovery code', text('Recovery code')],
]);

/** Whose detail is the id or the issuer of a provider, which may have gone since. */
const OF_PROVIDERS: readonly EventKind[] = [
  'registered',
  'session ended',
  'provider linked',
  'provider removed',
];

/** Such as the new role, the name of a company, or how somebody logged in. */
export function describeDetail(
  { people, providers }: Pick<CheckedOptions, 'people' | 'providers'>,
  { kind, detail }: Pick<StoredEvent, 'kind' | 'detail'>,
  request: Request,
): string {
  const say = sayIn(request);
  if (kind === 'role changed' || kind === 'invited') return nameRole({ people }, detail, request);
  if (OF_PROVIDERS.includes(kind))
    return providers.find(({ id, issuer }) => [id, issuer].includes(detail))?.name ?? detail;
  if (kind !== 'logged in') return detail;
  const proved = detail.split(', ').map((one) => PROVED.get(one));
  return proved.flatMap((one) => (one === undefined ? [] : [say(one)])).join(', ');
}

/** For the page after the log-in. */
export function describeEvents(
  events: readonly StoredEvent[],
  request: Request,
  options: Pick<CheckedOptions, 'formatTime' | 'people' | 'timeZone'>,
): string {
  const lines = events.map(
    (event) =>
      `${formatInstant(options, event.at, request)}: ${describeTold(options, event, request)}`,
  );
  return [...lines, sayIn(request)('If this was not you, tell an administrator.')].join(' ');
}
