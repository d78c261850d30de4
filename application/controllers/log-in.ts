/** Logging in and out. */
import {
  blankForm,
  type Context,
  describeMiddleware,
  endSession,
  type FormContext,
  type Handler,
  type Href,
  HttpError,
  type Middleware,
  page,
  type SessionContext,
  seeOther,
  startSession,
  toLocalPath,
  withHeader,
  withSession,
} from 'seeother';
import { type LogInFields, logInForm } from '../forms/account-forms.ts';
import { href } from '../links.ts';
import type { Accounts } from '../models/account.ts';
import type { LogInThrottle } from '../models/log-in-throttle.ts';
import { logInPage } from '../views/account-pages.ts';
import { orBusy } from './busy.ts';

export interface LogInOptions {
  readonly accounts: Accounts;
  readonly throttle: LogInThrottle;
  /** What a visitor without an account can do now. */
  readonly openTo: () => Promise<'first' | 'open' | 'closed'>;
}

export function createLogInController({ accounts, throttle, openTo }: LogInOptions) {
  const showLogIn: Handler<Context & SessionContext & Partial<FormContext<LogInFields>>> = async (
    context,
  ) => {
    const { request, session, status, validation } = context;
    const viewer = session?.user ?? null;
    const form = context.form ?? blankForm(logInForm, { next: request.query.get('next') ?? '' });
    const errors = validation?.valid === false ? validation.errors : [];
    const answer = page(logInPage({ viewer, form, errors, registration: await openTo() }), status);
    // RFC 9110 section 15.5.2 demands a challenge with a 401.
    return status === 401
      ? withHeader(answer, 'WWW-Authenticate', 'Cookie realm="account"')
      : answer;
  };

  const logIn: Middleware<FormContext<LogInFields>> = async (context, next) => {
    const { request, validation } = context;
    if (!validation.valid) return next(context);
    const { username, remember } = validation.values;
    await countTry(username, request.address);
    const account = await orBusy(accounts.authenticate(validation.values));
    if (account !== null) {
      await throttle.takeBack(username, request.address);
      const path = pathAfterLogIn(validation.values.next);
      return withSession(seeOther(path), startSession(account, remember));
    }
    return next({ ...context, status: 401, validation: WRONG_CREDENTIALS });
  };

  const countTry = async (username: string, address: string) => {
    const seconds = await throttle.countTry(username, address);
    if (seconds === 0) return;
    throw new HttpError(
      429,
      `There were too many failed tries to log in. The next one can be made in ${inWords(seconds)}.`,
      { headers: { 'Retry-After': String(seconds) } },
    );
  };

  const logOut: Handler<Context> = () => withSession(seeOther(href('/login')), endSession);
  describeMiddleware(logIn, { needs: ['form', 'validation', 'status'], adds: [] });

  return { showLogIn, logIn, logOut };
}

const WRONG_CREDENTIALS = {
  valid: false,
  errors: [{ field: 'username', message: 'Enter a username and a password that belong together' }],
} as const;

/** Where a log-in leads: never to another site, and not back to the log-in itself. */
export function pathAfterLogIn(next: string): Href {
  const path = toLocalPath(next);
  return path === null || /^\/log(in|out)(?:[/?]|$)/.test(path) ? href('/items') : path;
}

function inWords(seconds: number): string {
  if (seconds <= 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
