/**
 * Carries the text of a form through the log-in. The response to a form without a session is the
 * log-in page with the draft in a hidden field, so the server stores nothing before the log-in.
 * Then the session holds the draft, and the page of the form shows it for the user to send again.
 *
 * The draft comes from the browser and may be forged. It is parsed as untrusted input, and it fills
 * only fields that the form on its page declares.
 */

import type { Context } from '../chain/context.ts';
import { isFile, isTyped } from '../field/field.ts';
import { toLocalPath } from '../http/local-path.ts';
import { languageOf } from '../http/request-language.ts';
import { Slot } from '../http/slot.ts';
import type { Entry } from '../http/urlencoded.ts';
import { english } from '../language/english.ts';
import { isCode } from '../language/language.ts';
import type { PathParams } from '../router/pattern.ts';
import { toPath } from '../session/draft.ts';
import { newKey } from '../session/form-key.ts';
import type { Draft, Session } from '../session/session.ts';
import { bindForm, WITH_PARTS } from './bound-part.ts';
import {
  defineForm,
  type Fields,
  type FilledForm,
  type Form,
  type FormText,
  type SomeFilledForm,
} from './define-form.ts';
import type { TextTree } from './field-set.ts';
import { toPageAddress } from './form-address.ts';
import { formOfRequest, type RouteForm } from './form-of.ts';
import { toTyped } from './form-source.ts';
import { fillSent, isKey } from './read-form.ts';
import { readRefused } from './read-refused.ts';
import { translateTexts } from './rewrite-texts.ts';
import { FIELDS_SHOWN, findChangedFields, listFields, tellChanged } from './run-time-fields.ts';
import { bindSent, findField, toEntries } from './sent-fields.ts';

/** Characters of a serialized draft. A longer one is dropped. */
export const MAX_DRAFT_LENGTH = 65_536;

/**
 * The draft of the request's form, without passwords, buttons and hidden fields. Null when the route reads
 * no form, or when the form is empty, cannot be read, or is too long.
 */
export async function readDraft(context: Context): Promise<Draft | null> {
  const form = formOfRequest(context);
  if (form === null) return null;
  const refused = await readRefused(context);
  const { params } = context as { readonly params?: PathParams };
  const page = toPageAddress(form, context.request.target, params);
  const addresses = { action: toPath(context.request.target), page };
  const draft = refused.isWhole ? toDraft(form, addresses, refused.entries, context) : null;
  if (draft !== null) await refused.park(Object.values(draft.fields).flat());
  return draft;
}

function toDraft(
  { definition, varies }: RouteForm,
  { action, page }: { readonly action: string; readonly page: string },
  entries: readonly Entry[],
  { request }: Context,
): Draft | null {
  const language = languageOf(request);
  const known = (definition ?? WITHOUT_FIELDS) as Form<Fields>;
  const { text, once } = fillSent(known, entries, language);
  // Of a form that is not made yet, the page takes what it declares. It has no password.
  const all = varies
    ? [...toTyped(entries)]
    : toEntries(bindForm({ definition: known, text })).filter(([name]) => isCarried(known, name));
  const carried = all.filter(([, value]) => value !== '');
  if (!carried.some(([name]) => varies || isDraftAlone(known, name))) return null;
  const shown = entries.filter(({ name }) => name === FIELDS_SHOWN);
  const fields = toTexts([...carried, ...shown.map(({ name, text }) => [name, text] as const)]);
  const draft = { action, path: page, fields, once, language: language.code };
  return serializeDraft(draft).length > MAX_DRAFT_LENGTH ? null : draft;
}

/**
 * The draft of a form that was read, without passwords, buttons, hidden fields and files. Null if nothing was typed,
 * and `too long` if it cannot be stored.
 */
export function draftOfForm(
  { definition, text, once, language = english }: SomeFilledForm,
  addresses: Pick<Draft, 'action' | 'path'>,
): Draft | 'too long' | null {
  const known = definition as Form<Fields>;
  const isKept = (name: string) => {
    const field = findField(known, name);
    return (
      isCarried(known, name) && (typeof field === 'string' || field === null || !isFile(field))
    );
  };
  const carried = toEntries(bindForm({ definition, text })).filter(
    ([name, value]) => value !== '' && isKept(name),
  );
  if (!carried.some(([name]) => isDraftAlone(known, name))) return null;
  const shown = known.added.length === 0 ? {} : { [FIELDS_SHOWN]: listFields(known) };
  const draft = {
    ...addresses,
    fields: { ...toTexts(carried), ...shown },
    once,
    language: language.code,
  };
  return serializeDraft(draft).length > MAX_DRAFT_LENGTH ? 'too long' : draft;
}

const WITHOUT_FIELDS = defineForm({});

/** Characters of the code of a language, as of `zh-Hant-TW-u-nu-hanidec`. */
const MAX_CODE = 35;

/** Writes a draft for the hidden field of the log-in form. */
export function serializeDraft(draft: Draft): string {
  return JSON.stringify(draft);
}

/**
 * Reads a draft from the hidden field of the log-in form. Null for a text that `serializeDraft` cannot have
 * returned.
 */
export function parseDraft(text: string): Draft | null {
  // Mostly there is none, and an error of JSON costs as much as the rest of a small page.
  if (text === '' || text.length > MAX_DRAFT_LENGTH) return null;
  try {
    const { action, path, fields, once, language } = JSON.parse(text);
    const texts = Object.entries(fields).filter(
      (entry): entry is [string, string | string[]] =>
        entry[0] !== '__proto__' && [entry[1]].flat().every((text) => typeof text === 'string'),
    );
    const isWhole =
      isLocal(action) && !action.includes('?') && isLocal(path) && (once === null || isKey(once));
    const isKnown = typeof language === 'string' && language.length <= MAX_CODE && isCode(language);
    if (!isWhole || !isKnown) return null;
    return { action, path, fields: Object.fromEntries(texts), once, language };
  } catch {
    return null;
  }
}

/** The draft of a visitor, who has no session: that of the address. */
export const visitorDraftSlot: Slot<Draft | null> = new Slot(null);

/** The draft of the session or the visitor, with its texts as they are sent; null when there is none for this page. */
export function draftOf({
  request,
  session,
}: Context & { readonly session: Session | null }):
  | (Draft & { readonly entries: readonly Entry[] })
  | null {
  const draft = session?.draft ?? visitorDraftSlot.of(request);
  if (draft === null || toPath(draft.path) !== toPath(request.target)) return null;
  const entries = Object.entries(draft.fields).flatMap(([name, texts]) =>
    [texts].flat().map((text) => ({ name, text, flaw: null })),
  );
  return { ...draft, entries };
}

/**
 * The form filled with that draft, as the language of the page writes its values; null when there is none for
 * this page.
 */
export function restoreDraft<F extends Fields>(
  definition: Form<F, unknown>,
  context: Context & { readonly session: Session | null },
): FilledForm<F> | null {
  const draft = draftOf(context);
  if (draft === null) return null;
  const { request, session } = context;
  const entries = draft.entries.filter(({ name }) => isCarried(definition, name));
  const language = languageOf(request);
  const typed = bindSent(definition, entries, language).text as TextTree;
  const text = translateTexts(definition, typed, draft.language, language) as FormText<F>;
  const sent = entries.map(({ name, text }) => ({ name, text }));
  const once = draft.once ?? newKey(session?.user);
  const known = definition as unknown as Form<Fields>;
  const changed = findChangedFields(known, draft.entries, language);
  const errors = changed.gone.length === 0 ? [] : tellChanged([], changed, known, language);
  const form = { ...WITH_PARTS, definition, text, sent, language, once };
  return errors.length === 0 ? form : { ...form, errors: errors as never };
}

/** The texts by name; a list where a name has several. */
function toTexts(entries: readonly (readonly [string, string])[]): Draft['fields'] {
  const fields = Map.groupBy(entries, ([name]) => name);
  return Object.fromEntries(
    [...fields].map(([name, all]) => {
      const texts = all.map(([, text]) => text);
      return [name, texts.length === 1 ? (texts[0] as string) : texts];
    }),
  );
}

/** A password must not be sent back; other hidden fields are filled by the page. */
function isCarried<F extends Fields>(definition: Form<F, unknown>, name: string): boolean {
  const field = findField(definition, name);
  if (field === null || typeof field === 'string') return field === 'row';
  return isTyped(field) || field.inDraft !== false;
}

function isDraftAlone<F extends Fields>(definition: Form<F, unknown>, name: string): boolean {
  const field = findField(definition, name);
  return (
    field !== null && typeof field !== 'string' && (isTyped(field) || field.inDraft === 'alone')
  );
}

/** Whether it is a path on this site, with or without a query. */
function isLocal(path: unknown): path is string {
  return typeof path === 'string' && toLocalPath(path) === path && !path.includes('#');
}
