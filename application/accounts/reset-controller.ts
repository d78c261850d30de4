/**
 * The controller behind a link that resets a password: the holder chooses a new one and is logged in. When
 * the form is sent twice, the second one logs in with the password that the first one has set.
 */
import { page, type Response } from 'seeother';
import type { QueueHash } from 'seeother/accounts';
import { href } from '../links.ts';
import type { LogSecurity } from '../settings/security-log.ts';
import { readToken } from '../site/account-link.ts';
import { openFormHandlers, type PageContext } from '../site/contexts.ts';
import { toViewer } from '../site/layout.ts';
import type { Accounts } from './account.ts';
import type { Authenticate } from './authenticate.ts';
import type { CompleteLogIn } from './complete-log-in.ts';
import { newPasswords } from './new-password.ts';
import { resetForm } from './people-forms.ts';
import type { ResetLinks } from './reset-link.ts';
import { resetClosedPage, resetPage } from './reset-page.ts';

export interface ResetOptions {
  readonly accounts: Accounts;
  readonly resetLinks: ResetLinks;
  readonly authenticate: Authenticate;
  readonly queueHash: QueueHash;
  readonly completeLogIn: CompleteLogIn;
  readonly logSecurity: LogSecurity;
}

export function createResetController(options: ResetOptions) {
  const { accounts, resetLinks, authenticate, queueHash, completeLogIn, logSecurity } = options;

  /** Shows no flash: it belongs to another page. */
  function closed({ session }: PageContext): Response<403> {
    return page(resetClosedPage(toViewer({ session, flash: null })), 403);
  }

  const reset = openFormHandlers(resetForm, {
    name: 'resetPassword',
    once: false,
    // The URL contains the link. The Referer of the page's requests must not.
    headers: { 'Referrer-Policy': 'strict-origin' },
    async load({ request, form }) {
      const link = form?.text.link ?? readToken(request, 'link');
      return { link, username: await resetLinks.find(link) };
    },
    fill: ({ link, username }) => ({ link, username: username ?? '' }),
    async check({ form, values }) {
      const username = await resetLinks.find(form.text.link);
      if (username === null) return [];
      const fields = ['password', 'passwordagain'] as const;
      return newPasswords.check({ form, values }, { fields, username });
    },
    show({ username, form, errors, ...context }) {
      if (username === null) return closed(context);
      return resetPage({ viewer: toViewer(context), username, form, errors });
    },
    async act({ values, ...context }) {
      const { request } = context;
      const { link, password, username: typed } = values;
      if ((await resetLinks.find(link)) !== null) {
        const hash = await queueHash('unknown device', () => accounts.hash(password));
        const account = await accounts.resetByLink(link, hash);
        if (account !== null) {
          logSecurity('password reset', request, account.username);
          return completeLogIn(request, account, href('/items'));
        }
      }
      // It was used before, perhaps by this form: whoever knows the new password may log in with it.
      const account =
        typed === '' ? null : await authenticate({ username: typed, password }, request);
      return account === null ? closed(context) : completeLogIn(request, account, href('/items'));
    },
  });

  return { reset };
}
