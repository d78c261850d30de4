/**
 * Saves what a user types in a long form, before it is sent: `autosave` of a form. The text is stored by the user and
 * by the address of the page, without passwords and files, until the form was carried out: then it is removed in the
 * same transaction. A browser may still be saving while the form is sent, so the keys of forms that have ended are
 * stored too, and no longer saved.
 *
 * A visitor without a session has no place: the script warns before the page is left.
 */
import { hash } from 'node:crypto';
import type { Context } from '../chain/context.ts';
import { draftOfForm } from '../form/carry-draft.ts';
import type { Fields, FilledForm, SomeFilledForm } from '../form/define-form.ts';
import { formatAgo } from '../form/form-markup.ts';
import { formScriptSlot } from '../form/form-script.ts';
import type { Saving, SavingChange } from '../form/saving.ts';
import { localPath } from '../http/href.ts';
import { languageOf } from '../http/request-language.ts';
import { type Response, seeOther } from '../http/response.ts';
import { type Once, type OnceContext, toReceiptKey } from '../once/only-once.ts';
import { toPath } from '../session/draft.ts';
import type { Draft, Session, SessionContext } from '../session/session.ts';
import { pageOf } from './park-draft.ts';
import type { StoresContext } from './stores.ts';

/** True saves for 7 days. */
export type Autosave = boolean | { readonly days: number };

type Needs = Context & SessionContext & StoresContext<unknown>;
type SentNeeds = Needs & {
  readonly form: SomeFilledForm & { readonly change?: string; readonly savedAt?: string };
};

interface Saved {
  /** Null after the form has ended. */
  readonly draft: Draft | null;
  /** ISO 8601. */
  readonly at: string;
  /** The keys of forms that were carried out or thrown away, the last ones. */
  readonly ended: readonly string[];
}

const DAY = 86_400_000;
/** Keys of ended forms: more tabs than anybody has open. */
const MAX_ENDED = 20;

const ENDED = 'ended';

const CHANGES: readonly (string | undefined)[] = [
  'autosave',
  'save',
  'anew',
] satisfies readonly SavingChange[];

/** Days; null if the form is not saved. */
export function toDays(option: Autosave | undefined): number | null {
  if (option === undefined || option === false) return null;
  return option === true ? 7 : option.days;
}

/** The context with what was saved of this page as its draft; the same one without that, and for a visitor. */
export async function openSaved<C extends Needs>(context: C): Promise<C> {
  const { request, session, stores } = context;
  if (session === null) return context;
  const saved = (await stores.values.find(toId(session, request.target))) as Saved | null;
  if (saved === null || saved.draft === null) return context;
  return { ...context, session: { ...session, draft: saved.draft }, savedAt: saved.at };
}

/** What the page of a form says. */
export function toSaving(
  { saving, savedAt = '', once }: Pick<SentNeeds['form'], 'saving' | 'savedAt' | 'once'>,
  { session, form }: Pick<Needs, 'session'> & { readonly form?: unknown },
): Saving {
  if (session === null || once === null) return { at: null, isOpened: false, note: null };
  return saving ?? { at: savedAt, isOpened: form === undefined && savedAt !== '', note: null };
}

/** Whether one of the buttons of a saved form was pressed, or its script saves. */
export function isSaving({ change }: { readonly change?: string }): boolean {
  return CHANGES.includes(change);
}

/** Stores what is typed, or removes it. Resolves to what the page says; to a redirect to it after a button. */
export async function saveTyped(
  context: SentNeeds & { readonly session: Session },
  days: number,
): Promise<Response<303> | Saving> {
  const { form, request, session, stores } = context;
  const { change, once, savedAt = '' } = form;
  if (change === 'autosave') await formScriptSlot.of(request)?.limit(request);
  const page = pageOf(context);
  const id = toId(session, page);
  const language = languageOf(request);
  const draft =
    change === 'anew' ? null : draftOfForm(form, { action: toPath(request.target), path: page });
  if (draft === 'too long')
    return { at: savedAt, isOpened: false, note: language.words.tooLongToSave };
  const store = (isAgain: boolean) => {
    // Without a place for it, the script warns before the page is left.
    let saving: Saving = { at: null, isOpened: false, note: null };
    const receipt = stores.receipts.carryOut(null, async (transaction) => {
      const found = (await stores.values.find(id, transaction)) as Saved | null;
      const { ended = [], draft: before = null, at: foundAt = '' } = found ?? {};
      const isOwn = before === null || foundAt === savedAt;
      if (!isAgain && once !== null && ended.includes(once)) return ENDED;
      saving = { at: savedAt, isOpened: false, note: null };
      // What another tab has saved meanwhile is not thrown away by this one.
      if (draft === null && !isOwn) return '';
      // The time identifies what was saved, so no two are the same.
      const at = new Date(Math.max(Date.now(), foundAt === '' ? 0 : Date.parse(foundAt) + 1));
      const others = ended.filter((one) => one !== once);
      const all = change === 'anew' && once !== null ? [...others, once] : others;
      const saved: Saved = { draft, at: at.toISOString(), ended: all.slice(-MAX_ENDED) };
      await stores.values.put(id, saved, new Date(at.getTime() + days * DAY), transaction);
      const note = isOwn ? null : language.words.savedInstead(formatAgo(foundAt, language));
      saving = { at: saved.at, isOpened: false, note };
      return '';
    });
    return receipt.then((state) => ({ state, saving }));
  };
  const { state, saving } = await store(false);
  if (change === 'autosave') return saving;
  // After Back, a form that was sent may be changed and saved. One that was sent as it is stays sent.
  const key =
    state === ENDED && change === 'save'
      ? toReceiptKey(request, form as FilledForm<Fields>, session)
      : null;
  if (key !== null && (await stores.receipts.find(key)) === null) await store(true);
  return seeOther(localPath(page));
}

/** `once` of a form that is saved: what was saved of it goes in the same transaction. */
export function endSaved<T>(context: SentNeeds & OnceContext<T>, days: number): Once<T> {
  const { form, session, stores, once } = context;
  const { once: key, savedAt } = form;
  if (session === null || key === null) return once;
  const id = toId(session, pageOf(context));
  return (work) =>
    once(async (transaction) => {
      const done = await work(transaction);
      const found = (await stores.values.find(id, transaction)) as Saved | null;
      const { draft = null, at = new Date().toISOString(), ended = [] } = found ?? {};
      const isOwn = draft?.once === key || at === savedAt;
      const all = [...ended, key].slice(-MAX_ENDED);
      const saved: Saved = { draft: isOwn ? null : draft, at, ended: all };
      await stores.values.put(id, saved, new Date(Date.now() + days * DAY), transaction);
      return done;
    });
}

function toId({ user }: Pick<Session, 'user'>, page: string): string {
  return `autosave:${hash('sha256', JSON.stringify([user.id, toPath(page)]), 'base64url')}`;
}
