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
  html,
  page,
  passwordField,
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
import { addAccount, findAccount } from './database.ts';
import { layout } from './layout.ts';
import { href } from './links.ts';
import { hashPassword, isPassword } from './password.ts';

const defineAccountForm = (minLength: number, autocomplete: string) =>
  defineForm({
    username: textField({ label: 'Username', required: 'Enter a username', maxLength: 40 }),
    password: passwordField({
      label: 'Password',
      required: 'Enter a password',
      minLength,
      maxLength: 200,
      attributes: { autocomplete },
    }),
  });

export const logInForm = defineAccountForm(1, 'current-password');
export const registrationForm = defineAccountForm(12, 'new-password');
type AccountFields = typeof logInForm.fields;

export function createAccounts(database: Database) {
  /** Logs in to the account of the form, after `prepare`. */
  const logInAfter = (
    prepare: (name: string, password: string) => Promise<void>,
    message: string,
  ): FormAction<AccountFields> => {
    return async (context, next) => {
      const { validation } = context;
      if (!validation.valid) return next(refuse(context));
      const { username, password } = validation.values;
      const name = username.toLowerCase();
      await prepare(name, password);
      const account = await findAccount(database.read, name);
      const isRight = await isPassword(password, account?.password_hash ?? null);
      if (account === null || !isRight)
        return next(refuse(context, [{ field: 'username', message }]));
      return withSession(seeOther(pathAfter(context)), startSession({ id: account.id, name }));
    };
  };

  // Sent twice, the second form finds the account of the first and logs in to it.
  const addUnlessTaken = async (name: string, password: string) => {
    const hash = await hashPassword(password);
    await database.write((transaction) => addAccount(transaction, name, hash));
  };

  return {
    logIn: logInAfter(async () => {}, 'Username or password is incorrect'),
    register: logInAfter(addUnlessTaken, 'This username is taken'),
    logOut: () => withSession(seeOther(href('/')), endSession),
    showLogIn: showForm(logInForm, 'Log in'),
    showRegistration: showForm(registrationForm, 'Create an account'),
  };
}

/** The page that was asked for before the log-in: never one of another site. */
function pathAfter({ request }: Context) {
  return toLocalPath(request.query.get('next')) ?? href('/');
}

function showForm(definition: typeof logInForm, title: string) {
  return <C extends Context & SessionContext & Partial<FormContext<AccountFields>>>(context: C) => {
    const { form = blankForm(definition), validation, request } = context;
    const errors = errorsOf(validation);
    const next = request.query.get('next') ?? undefined;
    const main = html`${errorSummary(errors)}<form method="post" novalidate>
${formField(form, 'username', errors)}
${formField(form, 'password', errors)}
<button>${title}</button>
</form>
<p><a href="${href('/login', {}, { next })}">Log in</a> or
<a href="${href('/register', {}, { next })}">create an account</a></p>`;
    return page(layout(title, { ...context, errors }, main), statusOf(context));
  };
}
