/** Making an account, when the configuration lets a visitor do it. */
import {
  blankForm,
  type Context,
  describeMiddleware,
  errorsOf,
  type FormAction,
  type FormContext,
  page,
  type Response,
  type SessionContext,
  type StatusOf,
  seeOther,
  startSession,
  statusOf,
  withSession,
} from 'seeother';
import type { Registration } from '../config.ts';
import { type RegistrationFields, registrationForm } from '../forms/account-forms.ts';
import type { Accounts } from '../models/account.ts';
import { registrationClosedPage, registrationPage } from '../views/account-pages.ts';
import { toViewer } from '../views/layout.ts';
import type { Authenticate } from './authenticate.ts';
import { orBusy } from './busy.ts';
import { pathAfterLogIn } from './log-in.ts';

export interface RegistrationOptions {
  readonly accounts: Accounts;
  readonly authenticate: Authenticate;
  readonly registration: Registration;
}

export function createRegistrationController(options: RegistrationOptions) {
  const { accounts, authenticate, registration } = options;

  const openTo = async (): Promise<'first' | 'open' | 'closed'> => {
    const isFirst = registration !== 'invite' && (await accounts.isEmpty());
    if (isFirst) return 'first';
    return registration === 'open' ? 'open' : 'closed';
  };

  async function showRegistration<
    C extends Context & SessionContext & Partial<FormContext<RegistrationFields>>,
  >(context: C): Promise<Response<StatusOf<C> | 403>> {
    const state = await openTo();
    const { request, validation } = context;
    const viewer = toViewer(context);
    if (state === 'closed') return closed(context);
    const form =
      context.form ?? blankForm(registrationForm, { next: request.query.get('next') ?? '' });
    const errors = errorsOf(validation);
    return page(
      registrationPage({ viewer, form, errors, isFirst: state === 'first' }),
      statusOf(context),
    );
  }

  const register: FormAction<RegistrationFields, SessionContext> = async (context, next) => {
    const { request, validation } = context;
    const isClosed = (await openTo()) === 'closed';
    if (!validation.valid) {
      return isClosed ? closed(context) : next({ ...context, validation, status: 400 });
    }
    const { values } = validation;
    const result = isClosed
      ? ({ kind: 'closed' } as const)
      : await orBusy(accounts.register(values, registration === 'first'));
    // The same form sent twice finds the account that it has made, and leads to the same place.
    const account =
      result.kind === 'registered' ? result.account : await authenticate(values, request.address);
    if (account !== null) {
      return withSession(seeOther(pathAfterLogIn(values.next)), startSession(account));
    }
    if (result.kind === 'closed') return closed(context);
    return next({ ...context, status: 400, validation: TAKEN });
  };
  describeMiddleware(register, {
    needs: ['session', 'flash', 'form', 'validation', 'status'],
    adds: ['validation', 'status'],
  });

  return { showRegistration, register, openTo };
}

const TAKEN = {
  valid: false,
  errors: [{ field: 'username', message: 'Username is taken; choose another one' }],
} as const;

function closed({ session }: SessionContext): Response<403> {
  return page(registrationClosedPage(toViewer({ session, flash: null })), 403);
}
