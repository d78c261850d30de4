/** Making an account, when the configuration lets a visitor do it. */
import {
  blankForm,
  type Context,
  type FormContext,
  type Handler,
  HttpError,
  type Middleware,
  page,
  seeOther,
  startSession,
  withSession,
} from 'seeother';
import type { Registration } from '../config.ts';
import { type RegistrationFields, registrationForm } from '../forms/account-forms.ts';
import type { Accounts } from '../models/account.ts';
import { registrationPage } from '../views/account-pages.ts';
import { orBusy } from './busy.ts';
import { pathAfterLogIn } from './log-in.ts';

export function createRegistrationController(accounts: Accounts, registration: Registration) {
  const mayRegister = async () =>
    registration === 'open' || (registration === 'first' && (await accounts.isEmpty()));

  const showRegistration: Handler<Context & Partial<FormContext<RegistrationFields>>> = async (
    context,
  ) => {
    if (!(await mayRegister())) throw closed();
    const { request, status, validation } = context;
    const form =
      context.form ?? blankForm(registrationForm, { next: request.query.get('next') ?? '' });
    const errors = validation?.valid === false ? validation.errors : [];
    return page(registrationPage({ form, errors, isFirst: await accounts.isEmpty() }), status);
  };

  const register: Middleware<FormContext<RegistrationFields>> = async (context, next) => {
    const { validation } = context;
    if (!(await mayRegister())) throw closed();
    if (!validation.valid) return next(context);
    const result = await orBusy(accounts.register(validation.values, registration === 'first'));
    if (result.kind === 'closed') throw closed();
    if (result.kind === 'taken') return next({ ...context, status: 400, validation: TAKEN });
    const path = pathAfterLogIn(validation.values.next);
    return withSession(seeOther(path), startSession(result.account));
  };

  return { showRegistration, register, mayRegister };
}

const TAKEN = {
  valid: false,
  errors: [{ field: 'username', message: 'Username is taken; choose another one' }],
} as const;

function closed(): HttpError {
  return new HttpError(
    403,
    'New accounts are made by invitation here. Ask the person who runs this site for one.',
  );
}
