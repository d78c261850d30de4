/**
 * The second half of a log-in: a one-time code, or a recovery code. Until it is proved there is no session. The code
 * and the waiting log-in are used up in one transaction, so neither counts twice, on any instance; the same form, sent
 * again, goes on where it was.
 */
import type { WriteTransaction } from '../database/database.ts';
import type { Field } from '../field/field.ts';
import { checkboxField, textField } from '../field/fields.ts';
import { blankForm, defineForm } from '../form/define-form.ts';
import { type Html, html } from '../http/html.ts';
import type { Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import { type Response, seeOther } from '../http/response.ts';
import type { Router } from '../router/router.ts';
import { drawForm, formPage } from '../site/form-page.ts';
import { type Account, isUsable } from './account.ts';
import type { AccountParts, PageContext } from './account-parts.ts';
import type { TokenRow } from './account-tokens.ts';
import { focusOn, frame } from './frame.ts';
import { type Leave, unlessLeft } from './leave-transaction.ts';
import { type WaitingLogIn, withNext } from './log-in.ts';
import { toRecoveryKey } from './recovery-codes.ts';
import { sayIn, text } from './say.ts';
import type { AttemptKind } from './throttle.ts';

const trust = checkboxField({
  label: text('Do not ask again on this device for 30 days'),
  hint: text('Don’t tick this on a shared computer.'),
});
const codeForm = defineForm({ code: codeField(), trust });

export function addSecondFactorPages(
  router: Router<PageContext, never>,
  parts: AccountParts,
): void {
  addPage('/login/second-factor', codeForm, 'secondFactor', 'second factor', checkCode);
  const recoveryForm = defineForm({
    code: textField({
      label: text('Recovery code'),
      required: text('Enter a recovery code'),
      maxLength: 60,
      code: true,
      attributes: { autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false' },
    }),
    trust,
  });
  addPage('/login/recovery-code', recoveryForm, 'recoveryCode', 'recovery code', takeRecoveryCode);

  function addPage(
    path: '/login/second-factor' | '/login/recovery-code',
    form: typeof codeForm,
    page: 'secondFactor' | 'recoveryCode',
    kind: AttemptKind,
    check: Check,
  ): void {
    const { logIn } = parts;
    formPage(router, path, form, {
      button: text('Log in'),
      once: false,
      async load({ request }) {
        return { account: await findWaiting(parts, await logIn.waiting(request)) };
      },
      show(shown) {
        const { account, formHtml: _, ...context } = shown;
        const { request } = context;
        // Without a waiting log-in there is nothing to prove: it has expired, or was never begun.
        if (account === null) return seeOther(withNext(request, '/login'));
        const say = sayIn(request);
        const formHtml = focusOn(shown, 'code', say('Log in'));
        if (page === 'secondFactor') return drawSecondPage(parts, context, { account, formHtml });
        const first = account.totp === null ? say('Use a passkey') : say('Use a one-time code');
        const main = html`${formHtml}${drawWays(request, '/login/second-factor', first)}`;
        return frame(parts, context, {
          page,
          title: say('Confirm that it is you'),
          main,
          formHtml,
        });
      },
      async act({ form: sent, request, values: { code, trust: trusts } }) {
        const token = logIn.waitingToken(request) ?? '';
        const expired = seeOther(withNext(request, '/login'));
        const waiting = await logIn.waitingFor(token, sent);
        const account = await findWaiting(parts, waiting);
        if (account === null) return expired;
        const proved = await parts.attempt(request, kind, account, () =>
          proveSecond(parts, token, sent, account.id, (transaction, now) =>
            check(parts, transaction, now, code, request),
          ),
        );
        if (proved !== null)
          return logIn.provedBoth(request, proved.account, proved.waiting, {
            proved: kind,
            trusts,
          });
        return (await findWaiting(parts, waiting)) !== null
          ? {
              errors: [
                { field: 'code', message: text('This code is incorrect, or was already used') },
              ],
              status: 401,
            }
          : expired;
      },
    });
  }
}

interface SecondFactor {
  readonly account: Account;
  readonly formHtml: Html;
  readonly errors?: Html | null;
}

/** What the account has: the form of a code, that of a passkey, or both, and always a way without them. */
async function drawSecondPage(
  parts: AccountParts,
  context: PageContext,
  { account, formHtml, errors = null }: SecondFactor,
): Promise<Html> {
  const { request } = context;
  const say = sayIn(request);
  const waiting = parts.logIn.waitingToken(request) ?? '';
  const passkey = await parts.passkeys?.drawSecond(context, account, waiting);
  const code = account.totp === null ? null : formHtml;
  const main = html`${errors}${code}${passkey ?? null}${drawWays(request, '/login/recovery-code', say('Use a recovery code'))}`;
  const title = say('Confirm that it is you');
  return frame(parts, context, { page: 'secondFactor', title, main, formHtml });
}

function drawWays(request: Request, path: string, label: string): Html {
  return html`<ul class="ways">
<li><a href="${withNext(request, path)}">${label}</a></li>
<li><a href="${withNext(request, '/login')}">${sayIn(request)('Start again')}</a></li>
</ul>
`;
}

/** The page after a passkey that was refused: the page of codes answers its form. */
export async function showSecondPage(
  parts: AccountParts,
  context: PageContext,
  errors: Html | null,
): Promise<Html | Response<303>> {
  const { request } = context;
  const account = await findWaiting(parts, await parts.logIn.waiting(request));
  if (account === null) return seeOther(withNext(request, '/login'));
  const action = withNext(request, '/login/second-factor');
  const form = { ...blankForm(codeForm, {}, languageOf(request)), action };
  const formHtml = drawForm(form, html`<button>${sayIn(request)('Log in')}</button>\n`);
  return drawSecondPage(parts, context, { account, formHtml, errors });
}

/** Six digits, which a phone offers from a message or an app. */
export function codeField(): Field<string> {
  return textField({
    label: text('One-time code'),
    required: text('Enter the code that your app shows'),
    maxLength: 20,
    code: true,
    attributes: { autocomplete: 'one-time-code', inputmode: 'numeric', spellcheck: 'false' },
  });
}

type Check = (
  parts: AccountParts,
  transaction: WriteTransaction,
  account: Account,
  code: string,
  request: PageContext['request'],
) => Promise<boolean>;

const checkCode: Check = async (parts, transaction, account, code) => {
  const { options, seal, store } = parts;
  const sealed = account.totp ?? '';
  const context = { account: account.id, use: 'totp' };
  const secret = seal.open(sealed, context);
  if (secret === null || options.totp === undefined) return false;
  const step = options.totp.check({ secret, code, now: options.now(), after: account.totpStep });
  if (step === null) return false;
  const totp = seal.renew(sealed, context) ?? sealed;
  await store.change(transaction, account.id, { totp_step: step, totp });
  return true;
};

const takeRecoveryCode: Check = async (parts, transaction, account, code, request) => {
  const { tokens } = parts;
  const taken = await tokens.takeKey(transaction, 'recovery code', toRecoveryKey(code), account.id);
  if (taken === null) return false;
  await parts.tell(transaction, request, account, { kind: 'recovery code used' });
  return true;
};

/**
 * Uses up the waiting log-in with what `check` uses up; null if the proof is wrong, or the account has changed since
 * the first factor.
 */
export function proveSecond(
  { store, tokens, write }: Pick<AccountParts, 'store' | 'tokens' | 'write'>,
  token: string,
  form: { readonly once: string | null },
  accountId: number,
  check: (transaction: WriteTransaction, account: Account) => Promise<boolean>,
): Promise<{ readonly account: Account; readonly waiting: WaitingLogIn } | null> {
  return unlessLeft((leave: Leave<null>) =>
    write(async (transaction) => {
      const account = await store.lock(transaction, accountId);
      const taken = await tokens.takeForForm<WaitingLogIn>(
        transaction,
        'second factor',
        token,
        form,
      );
      const isSame =
        account !== null &&
        isUsable(account) &&
        taken?.accountId === accountId &&
        taken.data.version === account.version;
      if (!isSame) throw leave(null);
      if (!taken.isRepeat && !(await check(transaction, account))) throw leave(null);
      return { account, waiting: taken.data };
    }),
  );
}

/** The account of a log-in that waits; null if it has changed since the first factor. */
export async function findWaiting(
  { store }: AccountParts,
  waiting: TokenRow<WaitingLogIn> | null,
): Promise<Account | null> {
  if (waiting?.accountId == null) return null;
  const account = await store.find({ id: waiting.accountId });
  const isSame = account !== null && isUsable(account) && account.version === waiting.data.version;
  return isSame ? account : null;
}
