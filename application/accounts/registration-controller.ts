/**
 * The controller to register: with an invitation, or without one if the configuration allows it.
 * When the form is sent twice, the second one logs in to the account that the first one created,
 * although its invitation is used up.
 */
import { type FormValues, page, type Request, type Response } from 'seeother';
import type { QueueHash } from 'seeother/accounts';
import { andThen } from 'seeother/middleware';
import type { Readers, Registration } from '../settings/config.ts';
import type { LogSecurity } from '../settings/security-log.ts';
import { readToken } from '../site/account-link.ts';
import { openFormHandlers, type PageContext } from '../site/contexts.ts';
import { toViewer } from '../site/layout.ts';
import type { Accounts, RegistrationResult } from './account.ts';
import { type RegistrationFields, registrationForm } from './account-forms.ts';
import { registrationClosedPage, registrationPage } from './account-pages.ts';
import type { Authenticate } from './authenticate.ts';
import type { CompleteLogIn } from './complete-log-in.ts';
import { mixesAlphabets } from './display-name.ts';
import type { Invitations } from './invitation.ts';
import { pathAfterLogIn } from './log-in-controller.ts';
import { MIXED, NAME_TAKEN } from './name-controller.ts';
import { newPasswords } from './new-password.ts';

export interface RegistrationOptions {
  readonly accounts: Accounts;
  readonly invitations: Invitations;
  readonly authenticate: Authenticate;
  readonly queueHash: QueueHash;
  readonly completeLogIn: CompleteLogIn;
  readonly registration: Registration;
  readonly readers: Readers;
  readonly logSecurity: LogSecurity;
}

/** Who can register without an invitation: the first user, everyone, or nobody. */
type OpenTo = 'first' | 'open' | 'closed';

export function createRegistrationController(options: RegistrationOptions) {
  const { accounts, invitations, authenticate, queueHash, completeLogIn, logSecurity } = options;
  const { registration, readers } = options;

  const openTo = () =>
    andThen(registration !== 'invite' && accounts.isEmpty(), (isFirst): OpenTo => {
      if (isFirst) return 'first';
      return registration === 'open' ? 'open' : 'closed';
    });

  const openToHolder = async (invitation: string): Promise<OpenTo | 'invited'> => {
    const state = await openTo();
    // Also where everyone can register: the invitation says with which role.
    return state !== 'first' && (await invitations.isOpen(invitation)) ? 'invited' : state;
  };

  /** Shows no flash: it belongs to another page. */
  function closed({ session }: PageContext, invitation: string): Response<403> {
    const viewer = toViewer({ session, flash: null });
    return page(registrationClosedPage(viewer, invitation !== '', readers), 403);
  }

  const admit = async (
    request: Request,
    values: FormValues<RegistrationFields>,
    state: OpenTo | 'invited',
  ): Promise<RegistrationResult> => {
    if (state === 'closed') return { kind: 'closed' };
    const withInvitation = async () => {
      const result = await accounts.registerInvited(values, values.invitation);
      if (result.kind === 'registered')
        logSecurity('invitation used', request, result.account.username);
      return result;
    };
    if (state === 'invited') return withInvitation();
    const result = await accounts.register(values, registration === 'first');
    // Another visitor has just created the first account. An invitation is still valid.
    return result.kind === 'closed' && values.invitation !== '' ? withInvitation() : result;
  };

  /** Counts as a failed log-in, so that nobody can look for names faster than for passwords. */
  const isTaken = async (username: string, request: Request): Promise<boolean> => {
    if ((await accounts.findByName(username)) === null) return false;
    await authenticate({ username, password: '' }, request);
    return true;
  };

  const register = openFormHandlers(registrationForm, {
    name: 'register',
    once: false,
    // The URL contains the invitation. The Referer of the page's requests must not.
    headers: { 'Referrer-Policy': 'strict-origin' },
    fill: ({ request }) => ({
      next: request.query.get('next') ?? '',
      invitation: readToken(request, 'invitation'),
    }),
    async check({ form, errors, values, request }) {
      const { username, displayname, invitation } = form.text;
      if ((await openToHolder(invitation)) === 'closed') return [];
      const mixed = mixesAlphabets(displayname) ? [MIXED] : [];
      const fields = ['password', 'passwordagain'] as const;
      const slips = await newPasswords.check({ form, values }, { fields, username });
      const found = [...mixed, ...slips];
      // A form without other errors may be a repeat, which logs in to its account.
      if (errors.length + found.length === 0) return [];
      return (await isTaken(username, request)) ? [TAKEN, ...found] : found;
    },
    async show({ form, errors, ...context }) {
      const state = await openToHolder(form.text.invitation);
      if (state === 'closed') return closed(context, form.text.invitation);
      return registrationPage({ viewer: toViewer(context), form, errors, state, readers });
    },
    async act({ values, ...context }) {
      const { request } = context;
      const state = await openToHolder(values.invitation);
      const result = await queueHash('unknown device', () => admit(request, values, state));
      if (result.kind === 'name taken') return { errors: [NAME_TAKEN] };
      if (result.kind === 'registered')
        logSecurity('account registered', request, result.account.username);
      const account =
        result.kind === 'registered' ? result.account : await authenticate(values, request);
      if (account !== null) return completeLogIn(request, account, pathAfterLogIn(values.next));
      if (result.kind === 'closed') return closed(context, values.invitation);
      return { errors: [TAKEN] };
    },
  });

  return { register, openTo };
}

const TAKEN = { field: 'username', message: 'Username is taken; choose another one' } as const;
