/** To register, to log in and to log out. A form with a password is made of the parts of `formPage`. */
import {
  blankForm,
  type Context,
  defineForm,
  endSession,
  errorSummary,
  errorsOf,
  type FormAction,
  type FormContext,
  formField,
  formTitle,
  html,
  page,
  passwordField,
  type Request,
  refuse,
  type SessionContext,
  seeOther,
  startSession,
  statusOf,
  textField,
  toLocalPath,
  withSession,
} from 'seeother';
import type { Database } from 'seeother/database';
import { type Account, addAccount, findAccount } from './database.ts';
import { layout } from './layout.ts';
import { href } from './links.ts';
import { hashPassword, isPassword } from './password.ts';

const username = textField({
  label: 'Username',
  required: 'Enter a username',
  maxLength: 40,
  attributes: { autocomplete: 'username', autocapitalize: 'none' },
});

export const logInForm = defineForm({
  username,
  password: passwordField({
    label: 'Password',
    required: 'Enter your password',
    minLength: 1,
    maxLength: 200,
    attributes: { autocomplete: 'current-password' },
  }),
});

export const registrationForm = defineForm({
  username,
  password: passwordField({
    label: 'Password',
    required: 'Enter a password',
    minLength: 12,
    maxLength: 200,
    attributes: { autocomplete: 'new-password' },
  }),
});

type AccountFields = typeof logInForm.fields;
type ShowContext = Context & SessionContext & Partial<FormContext<AccountFields>>;

export function createAccounts(database: Database) {
  const authenticate = async (name: string, password: string): Promise<Account | null> => {
    const account = await findAccount(database.read, name.toLowerCase());
    const isRight = await isPassword(password, account?.password_hash ?? null);
    return account !== null && isRight ? { id: account.id, name: account.name } : null;
  };

  const logIn: FormAction<AccountFields> = async (context, next) => {
    const { validation, request } = context;
    if (!validation.valid) return next(refuse(context));
    const { username, password } = validation.values;
    const account = await authenticate(username, password);
    if (account === null) {
      const message = 'Username or password is incorrect';
      return next(refuse(context, [{ field: 'username', message }]));
    }
    return withSession(seeOther(pathAfter(request)), startSession(account));
  };

  // The same form again, such as that of a double click, finds the account of the first and logs in to it.
  const register: FormAction<AccountFields> = async (context, next) => {
    const { validation, request } = context;
    if (!validation.valid) return next(refuse(context));
    const { username, password } = validation.values;
    const hash = await hashPassword(password);
    await database.write((transaction) => addAccount(transaction, username.toLowerCase(), hash));
    const account = await authenticate(username, password);
    if (account === null) {
      return next(refuse(context, [{ field: 'username', message: 'This username is taken' }]));
    }
    return withSession(seeOther(pathAfter(request)), startSession(account));
  };

  return { logIn, register };
}

export const logOut = () => withSession(seeOther(href('/')), endSession);

export function showLogIn<C extends ShowContext>(context: C) {
  const other = href('/register', {}, { next: nextOf(context.request) });
  const main = html`${accountForm(context, 'Log in')}
<p><a href="${other}">Create an account</a></p>`;
  return page(layout(titleOf(context, 'Log in'), context, main), statusOf(context));
}

export function showRegistration<C extends ShowContext>(context: C) {
  const title = titleOf(context, 'Create an account');
  return page(layout(title, context, accountForm(context, 'Create account')), statusOf(context));
}

function titleOf({ validation }: ShowContext, title: string): string {
  return formTitle(title, errorsOf(validation));
}

function accountForm({ form = blankForm(logInForm), validation }: ShowContext, button: string) {
  const errors = errorsOf(validation);
  return html`${errorSummary(errors)}<form method="post" novalidate>
${formField(form, 'username', errors)}
${formField(form, 'password', errors)}
<button>${button}</button>
</form>`;
}

function nextOf({ query }: Request): string | undefined {
  return query.get('next') ?? undefined;
}

/** The page that was asked for before the log-in: never one of another site. */
function pathAfter(request: Request) {
  return toLocalPath(nextOf(request)) ?? href('/');
}
