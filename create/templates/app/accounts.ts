/** To register, to log in and to log out. */
import {
  type Context,
  createFormHandlers,
  defineForm,
  endSession,
  errorSummary,
  formField,
  html,
  type SiteContext,
  seeOther,
  startSession,
  toLocalPath,
  withSession,
} from 'seeother';
import type { Database } from 'seeother/database';
import { passwordField, textField } from 'seeother/fields';
import { addAccount, findAccount } from './database.ts';
import { layout } from './layout.ts';
import { href } from './links.ts';
import { hashPassword, isPassword } from './password.ts';

const defineAccountForm = (minLength: number, autocomplete: string) =>
  defineForm({
    username: textField({
      label: 'Username',
      required: 'Enter a username',
      maxLength: 40,
      code: true,
    }),
    password: passwordField({
      label: 'Password',
      required: 'Enter a password',
      minLength,
      maxLength: 200,
      attributes: { autocomplete },
    }),
  });

const logInForm = defineAccountForm(1, 'current-password');
const registrationForm = defineAccountForm(12, 'new-password');

const formHandlers = createFormHandlers<SiteContext<unknown>>();

export function createAccounts(database: Database) {
  /** A form that logs in to its account, after `prepare`. */
  const logInAfter = (
    form: typeof logInForm,
    title: string,
    prepare: (name: string, password: string) => Promise<void>,
    message: string,
  ) =>
    formHandlers(form, {
      name: title,
      // It does no harm when it is carried out again.
      once: false,
      show(context) {
        const { form, request } = context;
        const next = request.query.get('next') ?? undefined;
        const main = html`${errorSummary(form)}<form method="post" novalidate>
${formField(form, 'username')}
${formField(form, 'password')}
<button>${title}</button>
</form>
<p><a href="${href('/login', {}, { next })}">Log in</a> or
<a href="${href('/register', {}, { next })}">create an account</a></p>`;
        return layout(title, context, main);
      },
      async act({ values, ...context }) {
        const name = values.username.toLowerCase();
        await prepare(name, values.password);
        const account = await findAccount(database.read, name);
        const isRight = await isPassword(values.password, account?.password_hash ?? null);
        if (account === null || !isRight) return { errors: [{ field: 'username', message }] };
        return withSession(seeOther(pathAfter(context)), startSession({ id: account.id, name }));
      },
    });

  // Sent twice, the second form finds the account of the first and logs in to it.
  const addUnlessTaken = async (name: string, password: string) => {
    const hash = await hashPassword(password);
    await database.write((transaction) => addAccount(transaction, name, hash));
  };

  const wrong = 'Username or password is incorrect';
  const taken = 'This username is taken';
  return {
    logIn: logInAfter(logInForm, 'Log in', async () => {}, wrong),
    register: logInAfter(registrationForm, 'Create an account', addUnlessTaken, taken),
    logOut: () => withSession(seeOther(href('/')), endSession),
  };
}

/** The page that was asked for before the log-in: never one of another site. */
function pathAfter({ request }: Context) {
  return toLocalPath(request.query.get('next')) ?? href('/');
}
