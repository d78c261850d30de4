/**
 * The controller to invite a colleague and to withdraw an invitation. The link is shown once, in
 * the flash after the redirect. A form that is sent twice creates one invitation.
 */
import {
  type Context,
  type FormContext,
  type Handler,
  HttpError,
  type LoggedIn,
  type OnceContext,
  type Request,
  type Response,
  refuseWithoutSession,
  seeOther,
  withFlash,
} from 'seeother';
import type { Writing } from '../database/database.ts';
import { href } from '../links.ts';
import type { LogSecurity } from '../process/security-log.ts';
import { formatTime } from '../site/format.ts';
import type { WithdrawFields } from './account-forms.ts';
import { type Invitations, MAX_INVITATIONS, type NewInvitation } from './invitation.ts';
import type { SessionUser } from './session.ts';

export interface InvitationOptions {
  readonly invitations: Invitations;
  /** The configured origin of the site, or null. */
  readonly publicOrigin: string | null;
  readonly logSecurity: LogSecurity;
}

export function createAccountInvitationController(options: InvitationOptions) {
  const { invitations, publicOrigin, logSecurity } = options;

  const invite: Handler<
    Context & LoggedIn<SessionUser> & OnceContext<Writing>,
    Response<303>
  > = async ({ once, request, session }) => {
    const origin = publicOrigin ?? originOf(request);
    let isMade = false;
    const answer = await once(async (transaction) => {
      const made = await invitations.invite(transaction, session.user.id, session.key);
      if (made === 'session ended') throw refuseWithoutSession();
      if (made === 'too many') throw tooMany();
      isMade = true;
      return { path: href('/account'), message: describeInvitation(made, origin) };
    });
    if (isMade) logSecurity('invitation made', request, session.user.name);
    return answer;
  };

  const withdrawInvitation: Handler<
    Context & LoggedIn<SessionUser> & FormContext<WithdrawFields>,
    Response<303>
  > = async ({ form, request, session }) => {
    const isGone = await invitations.withdraw(form.text.id);
    if (isGone) logSecurity('invitation withdrawn', request, session.user.name);
    const message = isGone
      ? 'The invitation was withdrawn. The link no longer works.'
      : 'That invitation has already been used or withdrawn, or it has expired.';
    return withFlash(seeOther(href('/account')), message);
  };

  return { invite, withdrawInvitation };
}

function tooMany(): HttpError {
  return new HttpError(
    409,
    `You have ${MAX_INVITATIONS} open invitations, the most that one person can have. Withdraw one at ${href('/account')}, or wait until one is used or expires.`,
  );
}

function describeInvitation({ token, endsAt }: NewInvitation, origin: string): string {
  const address = origin + href('/register', {}, { invitation: token });
  return `Send this link to one person. It is shown only now, works once, and expires on ${formatTime(endsAt)}: ${address}`;
}

function originOf({ scheme, headers }: Request): string {
  return `${scheme}://${headers['host'] ?? 'localhost'}`;
}
