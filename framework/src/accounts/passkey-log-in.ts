/**
 * A log-in with a passkey, alone or behind a password. A passkey knows its user, by a finger or a PIN: alone it is both
 * factors. A refusal says the same whatever was wrong.
 */
import type { WriteTransaction } from '../database/database.ts';
import { hiddenField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { errorSummary } from '../form/form-markup.ts';
import type { Request } from '../http/request.ts';
import { seeOther } from '../http/response.ts';
import type { Router } from '../router/router.ts';
import { formPage } from '../site/form-page.ts';
import { type Account, isUsable } from './account.ts';
import type { AccountParts, PageContext } from './account-parts.ts';
import type { Passkey } from './account-passkeys.ts';
import { withNext } from './log-in.ts';
import { drawLogInForm } from './log-in-form.ts';
import { drawLogInPage } from './log-in-pages.ts';
import type { Answered, PasskeyWays, Proved } from './passkey-ways.ts';
import { text } from './say.ts';
import { findWaiting, proveSecond, showSecondPage } from './second-factor-pages.ts';

const EXPIRED = {
  errors: [{ field: null, message: text('This page was open for too long. Try again') }],
  status: 401,
} as const;
const REFUSED = {
  errors: [{ field: null, message: text('The passkey was not accepted') }],
  status: 401,
} as const;

export function addPasskeyLogIn(
  router: Router<PageContext, never>,
  parts: AccountParts,
  ways: PasskeyWays,
): void {
  const { logIn, store, write } = parts;

  const form = defineForm({ asked: hiddenField(), response: hiddenField() });
  formPage(router, '/login/passkey', form, {
    button: text('Log in'),
    once: false,
    middleware: [ways.nameBrowser],
    show({ isSent, formHtml: _, ...context }) {
      const { form: sent, request } = context;
      if (!isSent) return seeOther(withNext(request, '/login'));
      return drawLogInPage(parts, context, {
        formHtml: drawLogInForm(parts, context),
        isAgain: context.session !== null,
        errors: errorSummary(sent),
      });
    },
    async act({ request, values }) {
      const use = ways.logInUse(request);
      const proved = await ways.prove(request, values, use);
      if (proved === 'expired') return EXPIRED;
      const account = await parts.attemptPasskey(request, async () =>
        proved === null ? null : take(request, values, proved),
      );
      return account === null
        ? REFUSED
        : logIn.proved(request, account, { method: 'passkey', isWhole: true });
    },
  });

  function take(request: Request, { response }: Answered, proved: Proved) {
    const { challenge, passkey, verified } = proved;
    return write(async (transaction): Promise<Account | null> => {
      const account = await store.lock(transaction, passkey.accountId);
      if (account === null || !isUsable(account)) return null;
      const answered = { challenge, response, accountId: account.id };
      const turn = await ways.questions.answer(transaction, answered);
      if (turn === 'spent') return null;
      // The removal of a passkey ends the repeats, too.
      if (turn === 'again') return account;
      const used = await ways.store.use(transaction, passkey, verified);
      if (used === 'copied') await tellCopied(parts, transaction, request, account, passkey);
      return used === 'used' ? account : null;
    });
  }

  formPage(router, '/login/second-factor/passkey', form, {
    button: text('Log in'),
    once: false,
    show({ isSent, formHtml: _, ...context }) {
      const { form: sent, request } = context;
      if (!isSent) return seeOther(withNext(request, '/login/second-factor'));
      return showSecondPage(parts, context, errorSummary(sent));
    },
    async act({ request, values }) {
      const waiting = logIn.waitingToken(request) ?? '';
      // The question is of one page, so it names the form.
      const form = { once: values.asked };
      const account = await findWaiting(parts, await logIn.waitingFor(waiting, form));
      if (account === null) return seeOther(withNext(request, '/login'));
      const use = { kind: 'second factor', waiting } as const;
      const proved = await ways.prove(request, values, use, account.id);
      if (proved === 'expired') return EXPIRED;
      let copied: Passkey | null = null;
      const both = await parts.attempt(request, 'second factor', account, async () =>
        proved === null
          ? null
          : proveSecond(parts, waiting, form, account.id, async (transaction) => {
              const used = await ways.store.use(transaction, proved.passkey, proved.verified);
              if (used === 'copied') copied = proved.passkey;
              return used === 'used';
            }),
      );
      if (both !== null)
        return logIn.provedBoth(request, both.account, both.waiting, {
          proved: 'passkey',
          trusts: false,
        });
      const found = copied as Passkey | null;
      if (found !== null)
        await write((transaction) => tellCopied(parts, transaction, request, account, found));
      return REFUSED;
    },
  });
}

/** A wrong counter is no mistake of the user: somebody has a copy of the passkey. */
async function tellCopied(
  parts: AccountParts,
  transaction: WriteTransaction,
  request: Request,
  account: Account,
  { name }: Passkey,
): Promise<void> {
  await parts.tell(transaction, request, account, { kind: 'passkey refused', detail: name });
}
