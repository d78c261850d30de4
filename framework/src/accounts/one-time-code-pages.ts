/**
 * The pages on which a user switches one-time codes on and off, and makes recovery codes, for passkeys too. A secret
 * and the codes come back in a hidden field of the form, sealed for the account: nothing is stored until the user has
 * proved the secret, or said that the codes are kept, and a page alone changes nothing.
 */
import type { WriteTransaction } from '../database/database.ts';
import { hiddenField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { localPath } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import type { Request } from '../http/request.ts';
import { seeOther } from '../http/response.ts';
import type { Router } from '../router/router.ts';
import { requireSession } from '../session/require-session.ts';
import { formPage } from '../site/form-page.ts';
import { siteName } from './account-mail.ts';
import type { AccountParts, PageContext } from './account-parts.ts';
import {
  drawDanger,
  drawDuty,
  frame,
  linkToAccount,
  PRIVATE_PAGE,
  pathAfterDuty,
} from './frame.ts';
import { withNext } from './log-in.ts';
import {
  areRecoveryCodes,
  createRecoveryCodes,
  toRecoveryKey,
  toRecoveryText,
} from './recovery-codes.ts';
import { sayIn, text } from './say.ts';
import { codeField } from './second-factor-pages.ts';

/** Recovery codes do not expire. */
const FOR_EVER = 100 * 365 * 86_400_000;

export function addOneTimeCodePages(router: Router<PageContext, never>, parts: AccountParts): void {
  const { options, seal, store } = parts;
  const { totp } = options;
  const middleware = [requireSession, parts.requireRecent] as const;
  const gone = {
    errors: [{ field: null, message: text('This page has expired. Open it again') }],
    status: 409,
  } as const;

  if (totp !== undefined) {
    const form = defineForm({ secret: hiddenField(), codes: hiddenField(), code: codeField() });
    formPage(router, '/account/second-factor', form, {
      button: text('Switch on'),
      middleware,
      headers: PRIVATE_PAGE,
      fill: ({ session: { user } }) => ({
        secret: seal.seal(totp.createSecret(), { account: user.id, use: 'new totp' }),
        codes: sealCodes(parts, user.id, createRecoveryCodes()),
      }),
      async show({ formHtml, ...context }) {
        const { form: filled, request, session } = context;
        const { id, name } = session.user;
        const say = sayIn(request);
        const title = say('Second factor');
        if ((await store.find({ id }))?.totp != null) {
          const main = html`<p>${say('One-time codes are switched on.')}</p>
<ul>
<li><a href="/account/recovery-codes">${say('Make new recovery codes')}</a></li>
<li><a href="/account/second-factor/off">${say('Switch off one-time codes')}</a></li>
</ul>
${linkToAccount(request)}`;
          return frame(parts, context, { page: 'addCodes', title, main });
        }
        const secret = openSecret(parts, id, filled.text.secret);
        const codes = openCodes(parts, id, filled.text.codes);
        if (secret === null || codes === null)
          return seeOther(withNext(request, '/account/second-factor'));
        const address = totp.address({ secret, account: name, issuer: siteName(options, request) });
        const duty = drawDuty(request, session.user, 'add a second factor');
        const main = html`${duty}<h2>${say('1. Scan the QR code')}</h2>
<p>${say('Scan this with an authenticator app, or enter the key in it.')}</p>
${totp.draw(address, say('QR code for the app'))}
<p>${say('Key')}: <code>${secret.replace(/.{4}(?!$)/g, '$& ')}</code></p>
<h2>${say('2. Save the recovery codes')}</h2>
${drawCodes(codes, request, siteName(options, request))}<h2>${say('3. Enter a code')}</h2>
<p>${say('Enter the code that the app shows now. From then on, you need one each time you log in.')}</p>
${formHtml}${parts.passkeys?.originOf(request) == null ? null : html`<p><a href="${withNext(request, '/account/passkeys')}">${say('Use a passkey')}</a></p>\n`}`;
        return frame(parts, context, { page: 'addCodes', title, main, formHtml });
      },
      async send({ request, session, transaction, values }) {
        const { id } = session.user;
        const secret = openSecret(parts, id, values.secret);
        const codes = openCodes(parts, id, values.codes);
        const account = await store.lockOpen(transaction, session);
        if (secret === null || codes === null || account.totp !== null) return gone;
        const step = totp.check({ secret, code: values.code, now: options.now(), after: null });
        if (step === null) {
          return {
            errors: [
              {
                field: 'code',
                message: text(
                  'This code is incorrect. Look at the app again, and check that the clock of the phone is right',
                ),
              },
            ],
          };
        }
        const sealed = seal.seal(secret, { account: id, use: 'totp' });
        await store.change(
          transaction,
          id,
          { totp: sealed, totp_step: step, second_factor: 1 },
          true,
        );
        await replaceCodes(parts, transaction, id, codes);
        await store.endSessions(transaction, id, session.key);
        await parts.tell(transaction, request, account, { kind: 'second factor added' });
        return {
          path: pathAfterDuty(request, '/account'),
          message: sayIn(request)('One-time codes are switched on.'),
        };
      },
    });

    formPage(router, '/account/second-factor/off', defineForm({}), {
      button: text('Switch off one-time codes'),
      middleware,
      async show(context) {
        const say = sayIn(context.request);
        const { id, role } = context.session.user;
        const formHtml = drawDanger(context.form, say('Switch off one-time codes'));
        const stays =
          options.secondFactorFor.includes(role) && (await parts.passkeys?.store.list(id))?.length;
        const what = stays
          ? say('After that, you log in with a passkey in place of a code.')
          : say('After that, you need no second factor to log in.');
        const main = html`<p>${what}</p>\n${formHtml}${linkToAccount(context.request)}`;
        return frame(parts, context, {
          page: 'addCodes',
          title: say('Second factor'),
          main,
          formHtml,
        });
      },
      async send({ request, session, transaction }) {
        const account = await store.lockOpen(transaction, session);
        const others = (await parts.passkeys?.store.list(account.id, transaction)) ?? [];
        if (options.secondFactorFor.includes(account.role) && others.length === 0)
          return {
            errors: [{ field: null, message: text('Your role needs a second factor') }],
            status: 409,
          };
        await parts.removeCodes(transaction, account);
        await store.endSessions(transaction, account.id, session.key);
        await parts.tell(transaction, request, account, { kind: 'second factor removed' });
        return {
          path: localPath('/account'),
          message: sayIn(request)('One-time codes are switched off.'),
        };
      },
    });
  }

  formPage(router, '/account/recovery-codes', defineForm({ codes: hiddenField() }), {
    button: text('I have saved these codes'),
    middleware,
    headers: PRIVATE_PAGE,
    fill: ({ session: { user } }) => ({ codes: sealCodes(parts, user.id, createRecoveryCodes()) }),
    show({ formHtml, ...context }) {
      const { form: filled, request, session } = context;
      const say = sayIn(request);
      const codes = openCodes(parts, session.user.id, filled.text.codes);
      if (codes === null) return seeOther(withNext(request, '/account/recovery-codes'));
      const main = html`${drawCodes(codes, request, siteName(options, request))}<p>${say('Once you use the button, these codes replace all earlier ones.')}</p>\n${formHtml}${linkToAccount(request)}`;
      const title = say('Recovery codes');
      return frame(parts, context, { page: 'recoveryCodes', title, main, formHtml });
    },
    async send({ request, session, transaction, values }) {
      const { id } = session.user;
      const codes = openCodes(parts, id, values.codes);
      const account = await store.lockOpen(transaction, session);
      if (codes === null) return gone;
      await replaceCodes(parts, transaction, id, codes);
      await parts.tell(transaction, request, account, { kind: 'recovery codes made' });
      return {
        path: pathAfterDuty(request, '/account'),
        message: sayIn(request)(
          'Your new recovery codes are now valid. The earlier ones no longer work.',
        ),
      };
    },
  });
}

function sealCodes({ seal }: AccountParts, account: number, codes: readonly string[]): string {
  return seal.seal(codes.join(' '), { account, use: 'new recovery codes' });
}

/** Null for text that this site has not sealed for the account, and without a key for text of another form. */
function openSecret({ seal }: AccountParts, account: number, sealed: string): string | null {
  const secret = seal.open(sealed, { account, use: 'new totp' });
  return secret !== null && /^[A-Z2-7]{32}$/.test(secret) ? secret : null;
}

/** As `openSecret`. */
function openCodes(
  { seal }: AccountParts,
  account: number,
  sealed: string,
): readonly string[] | null {
  const codes = seal.open(sealed, { account, use: 'new recovery codes' })?.split(' ') ?? [];
  return areRecoveryCodes(codes) ? codes : null;
}

async function replaceCodes(
  { tokens }: AccountParts,
  transaction: WriteTransaction,
  accountId: number,
  codes: readonly string[],
): Promise<void> {
  await tokens.remove(transaction, accountId, ['recovery code']);
  for (const code of codes)
    await tokens.add(transaction, 'recovery code', toRecoveryKey(code), {
      accountId,
      lifetime: FOR_EVER,
    });
}

function drawCodes(codes: readonly string[], request: Request, site: string): Html {
  const say = sayIn(request);
  const file = toRecoveryText({
    title: say('Recovery codes for {site}', { site }),
    codes,
    advice: say('Each code works once, in place of the second factor.'),
  });
  return html`<p>${say('If you lose your phone, log in with one of these codes instead. Each works once. They are shown only now: print them, or save the file.')}</p>
<ul>
${codes.map((code) => html`<li><code>${code}</code></li>\n`)}</ul>
<p><a href="data:text/plain;charset=utf-8,${encodeURIComponent(file)}" download="recovery-codes.txt">${say('Download the codes')}</a></p>
`;
}
