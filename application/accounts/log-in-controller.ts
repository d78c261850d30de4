/** The controller to log in and out. */
import {
  type Context,
  endSession,
  type Handler,
  type Href,
  parseDraft,
  type Response,
  seeOther,
  toLocalPath,
  withHeader,
  withSession,
} from 'seeother';
import { type Awaitable, andThen } from 'seeother/middleware';
import { href } from '../links.ts';
import type { Readers } from '../settings/config.ts';
import type { LogSecurity } from '../settings/security-log.ts';
import { openFormHandlers, type PageContext } from '../site/contexts.ts';
import { toViewer } from '../site/layout.ts';
import { logInForm } from './account-forms.ts';
import { logInPage } from './account-pages.ts';
import type { Authenticate } from './authenticate.ts';
import type { CompleteLogIn } from './complete-log-in.ts';

/** Bytes of a log-in with a draft, whose 65,536 characters may take nine bytes each. */
const DRAFT_LIMIT = 1_048_576;

export interface LogInOptions {
  readonly authenticate: Authenticate;
  readonly completeLogIn: CompleteLogIn;
  /** Whether a visitor without an account can register. */
  readonly openTo: () => Awaitable<'first' | 'open' | 'closed'>;
  readonly readers: Readers;
  readonly logSecurity: LogSecurity;
}

export function createLogInController(options: LogInOptions) {
  const { authenticate, completeLogIn, openTo, readers, logSecurity } = options;

  const logIn = openFormHandlers(logInForm, {
    name: 'logIn',
    limit: DRAFT_LIMIT,
    once: false,
    fill: ({ request }) => ({ next: request.query.get('next') ?? '' }),
    show({ form, errors, isSent, ...context }) {
      // A user who is already logged in is redirected as after a log-in.
      if (!isSent && context.session !== null) return seeOther(pathAfterLogIn(form.text.next));
      const viewer = toViewer(context);
      return andThen(openTo(), (registration) =>
        logInPage({ viewer, notice: context.flash, form, errors, registration, readers }),
      );
    },
    async act({ request, values }) {
      const account = await authenticate(values, request);
      if (account === null) return { errors: [WRONG_CREDENTIALS], status: 401 };
      const draft = parseDraft(values.draft);
      const path = pathAfterLogIn(draft?.path ?? values.next);
      return completeLogIn(request, account, path, {
        remembered: values.remember,
        draft,
        showsNotices: true,
      });
    },
  });

  // Clears only the cache, not "cookies": the device cookie must stay, and endSession clears the
  // other.
  const logOut: Handler<PageContext, Response<303>> = ({ request, session }) => {
    if (session !== null) logSecurity('logged out', request, session.user.name);
    const answer = withHeader(seeOther(href('/login')), 'Clear-Site-Data', '"cache"');
    return withSession(answer, endSession);
  };

  // The log-in page requests this as a style sheet. The browser stores the page that the user left
  // by logging out only when the next page is there, so the log-out itself cannot clear it. A
  // request from another site must not clear the cache.
  const forgetPages: Handler<Context> = ({ request }) =>
    request.headers['sec-fetch-site'] === 'cross-site'
      ? NOTHING_TO_SEE
      : withHeader(NOTHING_TO_SEE, 'Clear-Site-Data', '"cache"');

  return { logIn, logOut, forgetPages };
}

const NOTHING_TO_SEE: Response = {
  status: 200,
  headers: { 'Content-Type': 'text/css; charset=utf-8' },
  body: '',
};

const WRONG_CREDENTIALS = {
  field: 'username',
  message: 'Username or password is incorrect',
} as const;

/** The path after a log-in: never on another site, and never the log-in page. */
export function pathAfterLogIn(next: string): Href {
  const path = toLocalPath(next);
  return path === null || /^\/log(in|out)(?:[/?]|$)/.test(path) ? href('/items') : path;
}
