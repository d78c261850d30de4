/**
 * The controller of the page of all people: shows them, invites a colleague, withdraws an invitation. The
 * person who made it sees its link until it is used. A form that is sent twice creates one invitation.
 */
import { HttpError, type Request, refuseWithoutSession, seeOther, withFlash } from 'seeother';
import { href } from '../links.ts';
import type { LogSecurity } from '../settings/security-log.ts';
import { describeReach, originOf } from '../site/account-link.ts';
import { formHandlers } from '../site/contexts.ts';
import { formatTime } from '../site/format.ts';
import { toViewer } from '../site/layout.ts';
import { NOT_STORED } from '../site/stored-for-back.ts';
import { type Invitations, MAX_INVITATIONS, type NewInvitation } from './invitation.ts';
import type { People } from './people.ts';
import { inviteForm, withdrawForm } from './people-forms.ts';
import { peoplePage } from './people-page.ts';
import { hasRole } from './require-role.ts';

export interface PeopleOptions {
  readonly people: People;
  readonly invitations: Invitations;
  /** The configured origin of the site, or null. */
  readonly publicOrigin: string | null;
  readonly logSecurity: LogSecurity;
}

export function createPeopleController(options: PeopleOptions) {
  const { people, invitations, publicOrigin, logSecurity } = options;

  const linkOf = (token: string, request: Request): string =>
    (publicOrigin ?? originOf(request)) + href('/register', {}, { invitation: token });

  const invite = formHandlers(inviteForm, {
    name: 'invite',
    page: '/people',
    // Its message is a link that lets its holder create an account.
    headers: NOT_STORED,
    async show({ form, errors, ...context }) {
      const { request, session } = context;
      const managed = hasRole(session.user, 'administrator')
        ? {
            ...{ form, errors, invitations: await invitations.list(session.user.id) },
            linkOf: (token: string) => linkOf(token, request),
          }
        : null;
      return peoplePage({ viewer: toViewer(context), people: await people.list(), managed });
    },
    async act({ once, request, session, values }) {
      let isMade = false;
      const answer = await once(async (transaction) => {
        const actor = { id: session.user.id, sessionKey: session.key };
        const made = await invitations.invite(transaction, actor, values);
        if (made === 'not allowed') throw refuseWithoutSession();
        if (made === 'too many') throw tooMany();
        isMade = true;
        return {
          path: href('/people'),
          message: describeInvitation(made, values.name, linkOf(made.token, request)),
        };
      });
      if (isMade) logSecurity('invitation made', request, session.user.name, values.role);
      return answer;
    },
  });

  const withdraw = formHandlers(withdrawForm, {
    name: 'withdrawInvitation',
    page: '/people',
    once: false,
    async act({ request, session, values }) {
      const isGone = await invitations.withdraw(values.id);
      if (isGone) logSecurity('invitation withdrawn', request, session.user.name);
      const message = isGone
        ? 'The invitation was withdrawn. The link no longer works.'
        : 'That invitation has already been used or withdrawn, or it has expired.';
      return withFlash(seeOther(href('/people')), message);
    },
  });

  return { invite, withdraw };
}

function tooMany(): HttpError {
  return new HttpError(
    409,
    `You have ${MAX_INVITATIONS} open invitations, the most that one person can have. Withdraw one at ${href('/people')}, or wait until one is used or expires.`,
  );
}

function describeInvitation({ endsAt }: NewInvitation, name: string, link: string): string {
  const expires = formatTime(endsAt);
  return `Send this link to ${name}. It works once, and expires on ${expires}${describeReach(link)}: ${link}`;
}
