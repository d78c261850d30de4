/** The mails of accounts. A mail is written in the transaction of what it tells, so both are there or neither. */
import type { WriteTransaction } from '../database/database.ts';
import type { Href } from '../http/href.ts';
import { HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import type { AccountText } from '../language/account-texts.ts';
import { type StoredEvent, TOLD } from './account-events.ts';
import { type CheckedOptions, originOf } from './account-options.ts';
import type { AccountParts } from './account-parts.ts';
import { describeTold } from './describe-event.ts';
import { type Say, sayIn } from './say.ts';

interface LinkMail {
  readonly to: string;
  readonly subject: AccountText;
  readonly text: AccountText;
  /** Null for a mail without a link. */
  readonly path: Href | null;
}

/** Who did not ask for it is told what to do: nothing. */
export async function mailLink(
  options: Pick<CheckedOptions, 'mail' | 'name' | 'publicOrigin'>,
  transaction: WriteTransaction,
  request: Request,
  { to, subject, text, path }: LinkMail,
): Promise<void> {
  const say = sayIn(request);
  const origin = requireOrigin(options, request);
  const site = siteName(options, request);
  const lines = [
    say(text, { site }),
    ...(path === null ? [] : [`${origin}${path}`]),
    say('If you did not ask for this, ignore this email.'),
  ];
  await options.mail?.(transaction, {
    to,
    subject: say(subject, { site }),
    text: `${lines.join('\n\n')}\n`,
  });
}

/** Tells the user of an event at once. */
export async function mailEvent(
  options: Pick<CheckedOptions, 'mail' | 'name' | 'people' | 'publicOrigin'>,
  transaction: WriteTransaction,
  request: Request,
  to: string | null,
  event: Pick<StoredEvent, 'kind' | 'detail'>,
): Promise<void> {
  if (to === null || !TOLD.includes(event.kind)) return;
  const say = sayIn(request);
  const site = siteName(options, request);
  const lines = [
    describeTold(options, event, request),
    say('If this was not you, tell an administrator.'),
    ...(knowsOrigin(options, request) ? [originOf(options, request)] : []),
  ];
  await options.mail?.(transaction, {
    to,
    subject: say('Your account at {site} has changed', { site }),
    text: `${lines.join('\n\n')}\n`,
  });
}

/** The machine of who develops the site. An address of another machine could be that of an attacker. */
const LOOPBACK = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d+){3}|\[::1\])(?::\d*)?$/i;

/** The message with a link that its reader sends to somebody. */
export function handOver(
  options: Pick<CheckedOptions, 'publicOrigin'>,
  request: Request,
  words: AccountText,
  { name, path }: { readonly name: string; readonly path: string },
): string {
  const say = sayIn(request);
  const origin = originOf(options, request);
  return describeReach(say, origin) + say(words, { name, link: `${origin}${path}` });
}

/** A sentence before a link that is handed over, if nobody else can open it; otherwise empty. */
export function describeReach(say: Say, origin: string): string {
  const { host } = new URL(origin);
  if (!LOOPBACK.test(host)) return '';
  const words =
    'The link can be opened on this computer only, because its address is {host}: set PUBLIC_ORIGIN, or open this site at an address that others reach.';
  return `${say(words, { host })} `;
}

function knowsOrigin({ publicOrigin }: Pick<CheckedOptions, 'publicOrigin'>, request: Request) {
  return publicOrigin !== null || LOOPBACK.test(request.headers['host'] ?? '');
}

/** Who asks for a mail to somebody else could name any Host, and the link would lead there, with its token. */
function requireOrigin(options: Pick<CheckedOptions, 'publicOrigin'>, request: Request): string {
  if (knowsOrigin(options, request)) return originOf(options, request);
  throw new HttpError(421, ({ words }) => words.wrongAddress, {
    reason:
      'Set publicOrigin of createAccounts: without it, the mails of a site have links on localhost alone.',
  });
}

export function siteName(
  options: Pick<CheckedOptions, 'name' | 'publicOrigin'>,
  request: Request,
): string {
  return options.name ?? new URL(originOf(options, request)).host;
}

/** What is done to an account is told: in its log, and to its user by mail. */
export function createReports({
  options,
  events,
  write,
}: Pick<AccountParts, 'options' | 'events' | 'write'>): Pick<AccountParts, 'note' | 'tell'> {
  return {
    note: (event) => write((transaction) => events.add(transaction, event)),
    async tell(transaction, request, account, event) {
      await events.add(transaction, { ...event, account, request });
      await mailEvent(options, transaction, request, account.email, { detail: '', ...event });
    },
  };
}
