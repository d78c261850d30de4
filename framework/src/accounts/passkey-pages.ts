/**
 * The pages on which a user adds, names and removes passkeys, and has one asked for behind the password. All of it
 * needs a recent log-in, with everything that the account has.
 */
import type { WriteTransaction } from '../database/database.ts';
import { buttonField } from '../field/button-field.ts';
import { checkboxField, hiddenField, textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { errorSummary, formField, onceField } from '../form/form-markup.ts';
import { localPath } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { json } from '../http/json.ts';
import type { Request } from '../http/request.ts';
import { seeOther } from '../http/response.ts';
import { passkeyForm } from '../passkeys/passkey-form.ts';
import type { NewPasskey } from '../passkeys/verify-added.ts';
import type { Router } from '../router/router.ts';
import { requireSession } from '../session/require-session.ts';
import { formPage } from '../site/form-page.ts';
import type { Account } from './account.ts';
import type { CheckedOptions } from './account-options.ts';
import type { AccountParts, PageContext } from './account-parts.ts';
import type { Passkey } from './account-passkeys.ts';
import { ENDED_KINDS } from './account-tokens.ts';
import { describeAgent } from './describe-agent.ts';
import { drawDuty, frame, linkToAccount, PRIVATE_PAGE, pathAfterDuty } from './frame.ts';
import { drawInstant } from './instants.ts';
import { type Leave, unlessLeft } from './leave-transaction.ts';
import { withNext } from './log-in.ts';
import { askedField, type PasskeyWays } from './passkey-ways.ts';
import { toPublicId } from './public-id.ts';
import { sayIn, text } from './say.ts';
import { LAST_WAY_IN } from './ways-in.ts';

const PAGE = '/account/passkeys';
const CODES = '/account/recovery-codes';
/** Passkeys of an account. */
const MAX_PASSKEYS = 20;
const NAME_LENGTH = 60;

const newForm = defineForm({
  asked: hiddenField(),
  response: hiddenField(),
  name: textField({
    label: text('Name of the new passkey'),
    hint: text('Leave it empty to use the name of the app or device that stores it.'),
    maxLength: NAME_LENGTH,
  }),
});

const refuse = <Text extends string>(message: Text, status: 400 | 409 = 400) =>
  ({ errors: [{ field: null, message }], status }) as const;
const EXPIRED = refuse(text('This page was open for too long. Try again'), 409);
const NOT_ACCEPTED = refuse(text('The passkey was not accepted'));
const GONE = refuse(text('This passkey was already removed'), 409);
const KNOWN = refuse(text('This passkey is already in use'), 409);
const TOO_MANY = refuse(text('Remove a passkey first: you have 20'), 409);
const NEEDED = refuse(text('Your role needs a second factor'), 409);
const NO_CODES = refuse(text('Make recovery codes first'), 409);
const NO_PASSKEY = refuse(text('Add a passkey first'), 409);

type Refusal = ReturnType<typeof refuse>;

export function addPasskeyPages(
  router: Router<PageContext, never>,
  parts: AccountParts,
  ways: PasskeyWays,
): void {
  const related = ways.engine.relatedOrigins();
  if (related !== null) router.get('/.well-known/webauthn', () => json(related));
  addListPage(router, parts, ways);
  addOnePage(router, parts, ways);
  addAfterPasswordPage(router, parts, ways);
}

function addListPage(
  router: Router<PageContext, never>,
  parts: AccountParts,
  { engine, originOf, questions, store: passkeys }: PasskeyWays,
): void {
  const { options, store, tokens } = parts;
  formPage(router, PAGE, newForm, {
    button: text('Add a passkey'),
    headers: PRIVATE_PAGE,
    middleware: [requireSession, parts.requireRecent],
    async show({ formHtml: _, ...context }) {
      const { form, request, session } = context;
      const say = sayIn(request);
      const { id, name } = session.user;
      const [account, mine] = [await store.find({ id }), await passkeys.list(id)];
      const origin = originOf(request);
      let addHtml: Html | null = null;
      if (origin !== null && account !== null) {
        const user = { handle: account.handle, name };
        const question = await engine.toAdd({ origin, user, existing: mine });
        const use = { kind: 'new passkey', accountId: id } as const;
        const asked = await questions.sign(question.challenge, use);
        addHtml = passkeyForm(context, {
          asks: 'add',
          options: question.options,
          action: withNext(request, PAGE),
          button: say('Add a passkey'),
          fields: html`${onceField(form)}${askedField(asked)}${formField(form, 'name')}`,
        });
      }
      const duty = drawDuty(request, session.user, 'add a second factor');
      const main = html`${errorSummary(form)}${duty}<p>${say('A passkey logs you in with a fingerprint, a face or a PIN, without a password.')}</p>
${drawList(options, mine, request)}${addHtml === null ? null : html`<noscript><p>${say('To add a passkey, switch on JavaScript.')}</p></noscript>\n${addHtml}`}
${drawSecondFactor(account, mine, request)}${linkToAccount(request)}`;
      return frame(parts, context, {
        page: 'passkeys',
        title: say('Your passkeys'),
        main,
        ...(addHtml && { formHtml: addHtml }),
      });
    },
    async act({ once, request, session, values: { asked, response, name } }) {
      const { id } = session.user;
      const origin = originOf(request);
      const challenge = await questions.open(asked, { kind: 'new passkey', accountId: id });
      if (challenge === null) return EXPIRED;
      const made =
        origin === null ? null : await engine.verifyAdded({ origin, challenge, response });
      if (made === null) return NOT_ACCEPTED;
      return unlessLeft((leave: Leave<Refusal>) =>
        once(async (transaction) => {
          const account = await store.lockOpen(transaction, session);
          const answered = { challenge, response, accountId: id };
          if ((await questions.answer(transaction, answered)) !== 'first') throw leave(EXPIRED);
          const chosen = name?.trim() || nameOf(made, request);
          const passkey = { ...made, name: chosen };
          const added = await add(transaction, request, account, passkey);
          if ('errors' in added) throw leave(added);
          return added;
        }),
      );
    },
  });

  async function add(
    transaction: WriteTransaction,
    request: Request,
    account: Account,
    passkey: NewPasskey & { readonly name: string },
  ) {
    const { id, role } = account;
    const mine = await passkeys.list(id, transaction);
    if (mine.length >= MAX_PASSKEYS) return TOO_MANY;
    if (!(await passkeys.add(transaction, id, passkey))) return KNOWN;
    // Of a role that needs a second factor, it is one from now on.
    const isNeeded = options.secondFactorFor.includes(role) && !account.hasSecondFactor;
    await store.change(transaction, id, isNeeded ? { second_factor: 1 } : {}, true);
    await parts.tell(transaction, request, account, {
      kind: 'passkey added',
      detail: passkey.name,
    });
    const lacksCodes = isNeeded && !(await tokens.has(transaction, id, 'recovery code'));
    return {
      path: lacksCodes ? withNext(request, CODES) : pathAfterDuty(request, PAGE),
      message: sayIn(request)('The passkey was added.'),
    };
  }
}

/** A page for each passkey. */
function addOnePage(
  router: Router<PageContext, never>,
  parts: AccountParts,
  { store: passkeys }: PasskeyWays,
): void {
  const { options, store, tokens } = parts;
  const form = defineForm({
    id: hiddenField(),
    name: textField({
      label: text('Name'),
      required: text('Enter a name'),
      maxLength: NAME_LENGTH,
    }),
    action: buttonField({
      buttons: [
        { value: 'rename', label: text('Save the name'), checks: ['id', 'name'] },
        { value: 'remove', label: text('Remove the passkey'), checks: ['id'] },
      ],
    }),
  });
  formPage(router, '/account/passkeys/one', form, {
    button: null,
    middleware: [requireSession, parts.requireRecent],
    async load({ request, session, form: sent }) {
      const id = sent?.text.id ?? request.query.get('id') ?? '';
      return { passkey: findPublic(await passkeys.list(session.user.id), id) };
    },
    fill: ({ passkey }) => ({
      id: passkey === null ? '' : toPublicId(passkey.id),
      name: passkey?.name ?? '',
    }),
    show({ formHtml, passkey, isSent, ...context }) {
      if (passkey === null && !isSent) return seeOther(localPath(PAGE));
      const say = sayIn(context.request);
      const main = html`${formHtml}<p>${say('Removing it logs you out on all other devices.')}</p>
<p class="back"><a href="${PAGE}">${say('Your passkeys')}</a></p>
`;
      const title = passkey?.name ?? say('Your passkeys');
      return frame(parts, context, { page: 'passkeys', title, main, formHtml });
    },
    send: {
      async rename({ request, session, transaction, values: { id, name } }) {
        await store.lockOpen(transaction, session);
        const mine = await passkeys.list(session.user.id, transaction);
        const passkey = findPublic(mine, id);
        if (passkey === null) return GONE;
        await passkeys.rename(transaction, passkey, name);
        return { path: localPath(PAGE), message: sayIn(request)('The name was saved.') };
      },
      async remove({ request, session, transaction, values: { id } }) {
        const account = await store.lockOpen(transaction, session);
        const mine = await passkeys.list(session.user.id, transaction);
        const passkey = findPublic(mine, id);
        if (passkey === null) return GONE;
        const isLastFactor = mine.length === 1 && account.totp === null;
        if (isLastFactor && options.secondFactorFor.includes(account.role)) return NEEDED;
        await passkeys.remove(transaction, passkey);
        if (!(await parts.hasWayIn(transaction, account))) return LAST_WAY_IN;
        // Nothing is left to ask for.
        const endsFactor = isLastFactor && account.hasSecondFactor;
        await store.change(transaction, account.id, endsFactor ? { second_factor: 0 } : {}, true);
        await tokens.remove(transaction, account.id, ENDED_KINDS);
        await store.endSessions(transaction, account.id, session.key);
        await parts.tell(transaction, request, account, {
          kind: 'passkey removed',
          detail: passkey.name,
        });
        return { path: localPath(PAGE), message: sayIn(request)('The passkey was removed.') };
      },
    },
  });
}

function addAfterPasswordPage(
  router: Router<PageContext, never>,
  parts: AccountParts,
  { store: passkeys }: PasskeyWays,
): void {
  const { options, store, tokens } = parts;
  const form = defineForm({
    asks: checkboxField({ label: text('Also ask for a passkey after the password') }),
  });
  formPage(router, '/account/passkeys/after-password', form, {
    button: text('Save'),
    middleware: [requireSession, parts.requireRecent],
    async fill({ session }) {
      const account = await store.find({ id: session.user.id });
      return { asks: account?.hasSecondFactor ? 'on' : '' };
    },
    show({ formHtml, ...context }) {
      const say = sayIn(context.request);
      const main = html`<p>${say('After that, your password alone no longer logs you in. A recovery code replaces the passkey once.')}</p>\n${formHtml}`;
      return frame(parts, context, {
        page: 'passkeys',
        title: say('Your passkeys'),
        main,
        formHtml,
      });
    },
    async send({ request, session, transaction, values: { asks } }) {
      const account = await store.lockOpen(transaction, session);
      const { id, role, totp, hasSecondFactor } = account;
      const message = sayIn(request)('Your choice was saved.');
      const done = { path: localPath(PAGE), message };
      // One-time codes are switched off on their own page.
      if (asks === hasSecondFactor || totp !== null) return done;
      const isNeeded = options.secondFactorFor.includes(role);
      if (!asks && isNeeded) return NEEDED;
      if (asks && (await passkeys.list(id, transaction)).length === 0) return NO_PASSKEY;
      // Whose role needs a second factor does nothing before, and makes codes then.
      const hasCodes = await tokens.has(transaction, id, 'recovery code');
      if (asks && !hasCodes && !isNeeded) return NO_CODES;
      await store.change(transaction, id, { second_factor: asks ? 1 : 0 }, true);
      await tokens.remove(transaction, id, ENDED_KINDS);
      await store.endSessions(transaction, id, session.key);
      await parts.tell(transaction, request, account, {
        kind: asks ? 'second factor added' : 'second factor removed',
      });
      return asks && !hasCodes ? { path: localPath(CODES), message } : done;
    },
  });
}

/** What a browser keeps it in; the browser itself if it does not say so. */
function nameOf({ provider }: NewPasskey, request: Request): string {
  return provider ?? describeAgent(request.headers['user-agent'] ?? '', request);
}

function findPublic(mine: readonly Passkey[], publicId: string): Passkey | null {
  return mine.find(({ id }) => toPublicId(id) === publicId) ?? null;
}

function drawList(
  options: CheckedOptions,
  mine: readonly Passkey[],
  request: Request,
): Html | null {
  if (mine.length === 0) return null;
  const say = sayIn(request);
  const rows = mine.map(({ id, name, createdAt, usedAt }) => {
    const used = usedAt === null ? say('Not used yet') : drawInstant(options, usedAt, request);
    return html`<tr><th scope="row"><a href="/account/passkeys/one?id=${toPublicId(id)}">${name}</a></th><td data-label="${say('Added')}">${drawInstant(options, createdAt, request)}</td><td data-label="${say('Last used')}">${used}</td></tr>\n`;
  });
  return html`<table class="list">
<thead><tr><th scope="col">${say('Name')}</th><th scope="col">${say('Added')}</th><th scope="col">${say('Last used')}</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
`;
}

/** With one-time codes, passkeys are offered beside them, and nothing is to be chosen. */
function drawSecondFactor(
  account: Account | null,
  mine: readonly Passkey[],
  request: Request,
): Html | null {
  if (account === null || mine.length === 0) return null;
  const say = sayIn(request);
  const codes = html`<li><a href="${CODES}">${say('Make new recovery codes')}</a></li>\n`;
  if (account.totp !== null) return null;
  const state = account.hasSecondFactor
    ? say('After the password, you are also asked for a passkey.')
    : say('Your password alone is enough to log in.');
  return html`<h2>${say('Second factor')}</h2>
<p>${state}</p>
<ul>
<li><a href="/account/passkeys/after-password">${say('Also ask for a passkey after the password')}</a></li>
${codes}</ul>
`;
}
