/**
 * Carries what was typed through the log-in. A form that comes without a session is answered with
 * the log-in form, and the draft goes along in a hidden field of that page: nothing is kept for
 * strangers. After the log-in the session holds it, and the page of the form shows it, not sent.
 *
 * The hard case: a draft comes back from a browser like any other text. It is read as if a stranger
 * had written it, and it only ever fills fields that the form of its own page declares.
 */
import type { Context } from '../chain/context.ts';
import { toLocalPath } from '../http/local-path.ts';
import { toPath } from '../session/draft.ts';
import type { Draft, Session } from '../session/session.ts';
import { type Fields, type FilledForm, type Form, fillText, newKey } from './define-form.ts';
import { formOf } from './form-of.ts';
import { DEFAULT_BODY_LIMIT, fillSent, isKey, readEntries } from './read-form.ts';

/** Characters of a draft as text; a longer one is not carried. */
export const LONGEST_DRAFT = 65_536;

/**
 * What the request's form holds, passwords and hidden fields left out. Null when its route reads no
 * form, when there is nothing in it, when it cannot be read, or when it is too long to be carried.
 */
export async function readDraft(
  { request, route }: Context,
  limit: number = DEFAULT_BODY_LIMIT,
): Promise<Draft | null> {
  const form = route === null ? null : formOf(route);
  if (form === null) return null;
  const { definition, page } = form;
  const entries = await readEntries(request, limit).catch(() => []);
  const { text, once } = fillSent(definition, entries);
  const typed = Object.entries(text).filter(
    ([name, value]) => value !== '' && !isUnseen(definition, name),
  );
  if (typed.length === 0) return null;
  const fields = Object.fromEntries(typed);
  const action = toPath(request.target);
  const draft = { action, path: page ?? action, fields, once };
  return serializeDraft(draft).length > LONGEST_DRAFT ? null : draft;
}

/** As the text of a hidden field. */
export function serializeDraft(draft: Draft): string {
  return JSON.stringify(draft);
}

/** Null for any text that `serializeDraft` cannot have written. */
export function parseDraft(text: string): Draft | null {
  if (text.length > LONGEST_DRAFT) return null;
  try {
    const { action, path, fields, once } = JSON.parse(text);
    const texts = Object.entries(fields).filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === 'string' && entry[0] !== '__proto__',
    );
    const isWhole = isLocal(action) && isLocal(path) && (once === null || isKey(once));
    return isWhole ? { action, path, fields: Object.fromEntries(texts), once } : null;
  } catch {
    return null;
  }
}

/** The form with the session's draft in it, when this is its page; null otherwise. */
export function restoreDraft<F extends Fields>(
  definition: Form<F, unknown>,
  { request, session }: Context & { readonly session: Session | null },
): FilledForm<F> | null {
  const draft = session?.draft ?? null;
  if (draft === null || draft.path !== toPath(request.target)) return null;
  const typed = new Map(Object.entries(draft.fields));
  const text = fillText(definition, (name) =>
    isUnseen(definition, name) ? '' : (typed.get(name) ?? ''),
  );
  return { definition, text, once: draft.once ?? newKey() };
}

/** Passwords never leave the request that they came with; what a page hides, a page fills. */
function isUnseen<F extends Fields>(definition: Form<F, unknown>, name: string): boolean {
  const control = definition.fields[name]?.control;
  return control === 'password' || control === 'hidden';
}

/** Whether it is a path on this site, without a query. */
function isLocal(path: unknown): path is string {
  return typeof path === 'string' && toLocalPath(path) === path && !/[?#]/.test(path);
}
