/** The controller of the page of one person: changes the role, makes a reset link, removes and restores. */
import {
  createFormHandlers,
  HttpError,
  type Request,
  type Response,
  refuseWithoutSession,
  type Session,
  seeOther,
  withFlash,
} from 'seeother';
import { href, personHref } from '../links.ts';
import type { LogSecurity, SecurityEvent } from '../settings/security-log.ts';
import { describeReach, originOf } from '../site/account-link.ts';
import { buttonForm } from '../site/button-form.ts';
import type { UserContext } from '../site/contexts.ts';
import { formatTime } from '../site/format.ts';
import { toViewer } from '../site/layout.ts';
import type { SessionUser } from '../site/session-user.ts';
import { NOT_STORED } from '../site/stored-for-back.ts';
import type { People, PeopleChange, Person } from './people.ts';
import { resetLinkForm, roleForm } from './people-forms.ts';
import { type Held, personPage } from './person-page.ts';
import type { ResetLinks } from './reset-link.ts';
import { ROLE_NAMES } from './role-page.ts';

export interface PersonOptions {
  readonly people: People;
  readonly resetLinks: ResetLinks;
  readonly findHeld: FindHeld;
  /** The configured origin of the site, or null. */
  readonly publicOrigin: string | null;
  readonly logSecurity: LogSecurity;
}

/** What somebody with one of these names has borrowed; see items/lend/held-items.ts. */
type FindHeld = (names: readonly string[]) => Promise<{ readonly items: readonly Held[] }>;

type PersonContext = UserContext & { readonly params: { readonly id: number } };

const formHandlers = createFormHandlers<PersonContext>();

export function createPersonController(options: PersonOptions) {
  const { people, resetLinks, findHeld, publicOrigin, logSecurity } = options;

  const changeRole = formHandlers(roleForm, {
    name: 'changeRole',
    page: '/people/:id<int>',
    once: false,
    // The message of a new link lets its holder set the password.
    headers: NOT_STORED,
    async load({ params }) {
      const person = (await people.find(params.id)) ?? nobody();
      const { items } = await findHeld([person.name, person.username]);
      return { person, held: items };
    },
    fill: ({ person }) => ({ role: person.role }),
    show: ({ person, held, form, errors, ...context }) =>
      personPage({ viewer: toViewer(context), person, held, form, errors }),
    async act({ params, request, session, values: { role } }) {
      const done = await people.setRole(actorOf(session), params.id, role);
      const message = (name: string) =>
        `The role of ${name} is now ${ROLE_NAMES[role].toLowerCase()}.`;
      return finish(request, session, done, { event: 'role changed', detail: role, message });
    },
  });

  const removePerson = formHandlers(buttonForm, {
    name: 'removePerson',
    page: '/people/:id<int>',
    once: false,
    async act({ params, request, session }) {
      const done = await people.setRemoved(actorOf(session), params.id, true);
      const message = (name: string) => `${name} was removed, and is logged out on all devices.`;
      return finish(request, session, done, { event: 'account disabled', message });
    },
  });

  const restorePerson = formHandlers(buttonForm, {
    name: 'restorePerson',
    page: '/people/:id<int>',
    once: false,
    async act({ params, request, session }) {
      const done = await people.setRemoved(actorOf(session), params.id, false);
      const message = (name: string) => `${name} can log in again.`;
      return finish(request, session, done, { event: 'account enabled', message });
    },
  });

  const makeLink = formHandlers(resetLinkForm, {
    name: 'makeResetLink',
    page: '/people/:id<int>',
    async act({ once, params: { id }, request, session }) {
      if (id === session.user.id) throw ownPassword();
      const origin = publicOrigin ?? originOf(request);
      let username: string | null = null;
      const answer = await once(async (transaction) => {
        const made = await resetLinks.create(transaction, actorOf(session), id);
        if (made.kind === 'not allowed') throw refuseWithoutSession();
        if (made.kind === 'unknown') return nobody();
        username = made.person.username;
        const address = origin + href('/reset-password', {}, { link: made.token });
        const message = `Send this link to ${username}. It is shown only now, works once, and expires on ${formatTime(made.endsAt)}${describeReach(address)}: ${address}`;
        return { path: personHref(id), message };
      });
      if (username !== null)
        logSecurity('reset link made', request, username, `by ${session.user.name}`);
      return answer;
    },
  });

  function finish(
    request: Request,
    { user }: Session<SessionUser>,
    done: PeopleChange,
    { event, detail, message }: Finish,
  ): Response<303> {
    const person = personOf(done);
    const { id, username, name } = person;
    const by = `by ${user.name}`;
    if (done.kind === 'changed')
      logSecurity(event, request, username, detail === undefined ? by : `${detail}, ${by}`);
    // A user who has changed their own role or removed themselves cannot open that page any more.
    const path = id === user.id ? href('/people') : personHref(id);
    return withFlash(seeOther(path), message(name));
  }

  return { changeRole, removePerson, restorePerson, makeLink };
}

interface Finish {
  readonly event: SecurityEvent;
  readonly detail?: string;
  readonly message: (name: string) => string;
}

function actorOf({ key, user }: Session<SessionUser>) {
  return { id: user.id, sessionKey: key };
}

function personOf(done: PeopleChange): Person {
  if (done.kind === 'not allowed') throw refuseWithoutSession();
  if (done.kind === 'unknown') return nobody();
  if (done.kind === 'last administrator') {
    throw new HttpError(
      409,
      `${done.person.name} is the only administrator. Make another person an administrator first.`,
    );
  }
  return done.person;
}

function nobody(): never {
  throw new HttpError(404, `There is no such person. All people are at ${href('/people')}.`);
}

function ownPassword(): HttpError {
  return new HttpError(409, `Change your own password at ${href('/account')}.`);
}
