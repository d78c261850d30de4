/**
 * Carries a form through the log-in, whatever pages that has: the text is parked as its files are, under a key that is
 * in the address of the form's page. The log-in leads there by `next`, and the text moves to the session. Whoever has
 * the key gets the text, so it is a secret, and it is in no address that stays in the history.
 *
 * `addNew` does the same, but its key is in the address of the other form. So the text is for its user alone. A visitor
 * has no session to move it to: the key stays in the address, and a cookie binds the text to the browser.
 */

import { hash, randomBytes } from 'node:crypto';
import type { Context, Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { bindForm, findPart } from '../form/bound-part.ts';
import {
  MAX_DRAFT_LENGTH,
  readDraft,
  serializeDraft,
  visitorDraftSlot,
} from '../form/carry-draft.ts';
import { CHANGE, toChange } from '../form/change-form.ts';
import type { SomeFilledForm } from '../form/define-form.ts';
import { toPageAddress } from '../form/form-address.ts';
import { formOfRequest } from '../form/form-of.ts';
import { readEntries } from '../form/read-form.ts';
import { toEntries } from '../form/sent-fields.ts';
import { type Href, localPath, withPair } from '../http/href.ts';
import { toLocalPath } from '../http/local-path.ts';
import { isSafe, type Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import { type Response, seeOther, withSession } from '../http/response.ts';
import type { PathParams } from '../router/pattern.ts';
import { toPath } from '../session/draft.ts';
import { readHostCookie, withHostCookie } from '../session/host-cookie.ts';
import { logInSlot } from '../session/require-session.ts';
import type { Draft, SessionContext } from '../session/session.ts';
import { keepDraft } from '../session/session-change.ts';
import { createToken, toTokenKey } from '../session/token.ts';
import { VISITOR_PARKED } from '../upload/parking.ts';
import { requireUploads } from '../upload/upload-limits.ts';
import type { StoresContext } from './stores.ts';

const NAME = '_draft';

export interface LogIn {
  /** The log-in form, which leads to the page of the refused form. */
  readonly path: Href;
  /** The page of the refused form, with the key of what was typed. */
  readonly next: string;
  /** Whether that page is filled then. */
  readonly isFilled: boolean;
}

/** Parks the form of a request that needs a log-in. Without a place for it, the page of the form is empty. */
export async function parkDraft(context: Context): Promise<LogIn> {
  const { next, isFilled } = await parkText(context);
  const path = localPath(withPair(logInSlot.of(context.request).path, 'next', next));
  return { path, next, isFilled };
}

/** Whose a draft of `addNew` is. That of a log-in is for whoever has the key. */
interface Binding {
  /** The SHA-256 of the token in the cookie of a visitor. */
  readonly browser?: string;
  /** The id of the user. */
  readonly owner?: string | number;
}

type ParkedDraft = Draft & Binding;

/** The page of the form, with a key of what was typed. `blank` is that of a form in which nothing was. */
async function parkText(
  context: Context,
  blank: Draft | null = null,
  binding: Binding = {},
): Promise<{ readonly next: string; readonly isFilled: boolean; readonly key: string }> {
  const { stores } = context as Context & StoresContext<unknown>;
  const draft = (await readDraft(context)) ?? blank;
  const place = draft === null ? null : await takePlace(context, serializeDraft(draft).length);
  const next = draft?.path ?? pageOf(context);
  const key = randomBytes(16).toString('base64url');
  if (draft === null || place?.isTaken !== true) return { next, isFilled: false, key };
  const expiresAt = new Date(Date.now() + VISITOR_PARKED);
  const parked: ParkedDraft = { ...draft, ...binding };
  try {
    await stores.values.put(toId(key), parked, expiresAt);
    return { next: withPair(next, NAME, key), isFilled: true, key };
  } catch {
    place.giveBack();
    return { next, isFilled: false, key };
  }
}

/**
 * Leads to the form that adds a choice, if its button was pressed; null if another one was. Resolves to the reason if
 * what was typed cannot be parked: then the page shows the form again.
 */
export async function leaveForm(
  context: Context & Pick<SessionContext, 'session'> & { readonly form: SomeFilledForm },
): Promise<Response<303> | string | null> {
  const { form, request, session } = context;
  const { part } = findPart(bindForm(form), form.focus ?? '') ?? {};
  if (part?.part !== 'field' || part.addNew === undefined) return null;
  const entries = await readEntries(context);
  if (
    !entries.some(
      ({ name, text }) => name === CHANGE && text === toChange('leave', form.focus ?? ''),
    )
  )
    return null;
  const { words, code: language } = languageOf(request);
  const texts = toEntries(bindForm(form)).map(([, text]) => text);
  const addresses = { action: toPath(request.target), path: pageOf(context) };
  const blank = { ...addresses, fields: {}, once: null, language };
  const token = createToken();
  const isBlank = texts.every((text) => text === '');
  const binding = session === null ? { browser: toTokenKey(token) } : { owner: session.user.id };
  const { next, isFilled, key } = await parkText(context, isBlank ? blank : null, binding);
  if (!isFilled)
    return texts.join('').length > MAX_DRAFT_LENGTH ? words.tooLongToLeave : words.cannotLeave;
  const response = seeOther(localPath(withPair(part.addNew.path, 'next', next)));
  const maxAge = VISITOR_PARKED / 1000;
  return session === null
    ? withHostCookie(response, request, { name: toCookie(key), value: token, maxAge })
    : response;
}

function toCookie(key: string): string {
  return `draft-${key.slice(0, 8)}`;
}

/**
 * Where a form leads that `addNew` of another one has led to: back there, with what was added chosen, as in
 * `{ person: id }`; a list adds to several choices. Otherwise, and if its address is no page of this site, `path`.
 */
export function returnPath(
  { query }: Pick<Request, 'query'>,
  added: Readonly<Record<string, string | number | readonly (string | number)[]>>,
  path: Href,
): Href {
  const next = toLocalPath(query.get('next'));
  if (next === null) return path;
  return Object.entries(added).reduce<Href>((to, [name, value]) => {
    const sign = typeof value === 'object' ? '+' : '.';
    return [value]
      .flat()
      .reduce<Href>(
        (one, text) =>
          localPath(withPair(one, encodeURIComponent(`${NAME}${sign}${name}`), `${text}`)),
        to,
      );
  }, next);
}

/** Whether the address of a page has the key of a parked draft. */
export function hasParked(path: string): boolean {
  return new URLSearchParams(path.split('?')[1]).has(NAME);
}

/** The address of the page with the form, with its query. That of a button, whose address takes only forms, sent it. */
export function pageOf(context: Context): string {
  const { request } = context;
  const { params } = context as { readonly params?: PathParams };
  const form = formOfRequest(context);
  if (isSafe(request)) return request.target;
  const own = form === null ? request.target : toPageAddress(form, request.target, params);
  if (form !== null && form.page !== null) return own;
  const from = refererOf(request);
  return from === null || toPath(from) === toPath(request.target) ? own : from;
}

/** The page of this site that has sent the form; null if the browser does not say it. */
function refererOf({ headers: { referer = '' } }: Request): string | null {
  const { pathname, search } = URL.parse(referer) ?? { pathname: '', search: '' };
  return toLocalPath(pathname + search);
}

async function takePlace({ request }: Context, length: number) {
  const { parking } = requireUploads(request, 'park a draft');
  const toPlace = await parking.open({ request, owner: null, isRefused: true });
  const place = toPlace();
  place.take(length);
  parking.settle(place);
  return place;
}

/**
 * Moves a parked draft to the session, and leads to the page without its key. Without a session the page is filled in
 * the browser that has left its form. It stands behind the session.
 */
export const claimDraft: Middleware<Pick<SessionContext, 'session'> & StoresContext<unknown>> =
  describeMiddleware(
    function claimDraft(context, next) {
      const { request, session, stores } = context;
      // Most requests have no such query, which is not parsed for it.
      if (!request.search.includes(NAME) || !isSafe(request)) return next(context);
      const all = [...request.query];
      const own = all.filter(([name]) => OWN.test(name));
      if (own.length === 0) return next(context);
      const kept = new URLSearchParams(all.filter(([name]) => !OWN.test(name)));
      const [path = '/'] = request.target.split('?');
      const page = kept.size === 0 ? path : `${path}?${kept}`;
      const key = request.query.get(NAME) ?? '';
      return stores.values.find(toId(key)).then((found) => {
        const { browser, owner, ...parked } = (found ?? {}) as ParkedDraft;
        const tokens = readHostCookie(request, toCookie(key)).map(toTokenKey);
        const isBrowser = browser !== undefined && tokens.includes(browser);
        const isOwn =
          isBrowser || (browser === undefined && (owner ?? session?.user.id) === session?.user.id);
        const draft = found === null || !isOwn ? null : addChosen(parked, own);
        if (session) {
          const response = seeOther(localPath(page));
          return draft === null ? response : withSession(response, keepDraft(draft));
        }
        if (isBrowser) visitorDraftSlot.set(request, draft);
        return next(context);
      });
    },
    { needs: ['session', 'stores'], adds: [] },
  );

/** Its key, and what `returnPath` has added. */
const OWN = /^_draft(?:$|[.+])/;

function addChosen(draft: Draft, own: readonly (readonly [string, string])[]): Draft {
  const added = own.filter(([name]) => name !== NAME);
  const fields = new Map(Object.entries(draft.fields));
  for (const [name, text] of added) {
    const field = name.slice(NAME.length + 1);
    const before = name.startsWith(`${NAME}+`) ? [fields.get(field) ?? []].flat() : [];
    fields.set(field, [...before.filter((one) => one !== text), text]);
  }
  return { ...draft, fields: Object.fromEntries(fields) };
}

function toId(key: string): string {
  return `draft:${hash('sha256', key, 'base64url')}`;
}
