/** With a visitor, a test of several pages reads as a story, and cannot forget a cookie or a hidden field. */
import { readCookie } from '../http/cookie.ts';
import { isPageType } from '../http/page-type.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import type { Application } from '../server/application.ts';
import { get, type PostBody, post, type RequestInit, type TypedFields } from './make-request.ts';

/** The input of a form with files; a list sends the field several times. */
export type FieldsWithFiles = Readonly<Record<string, string | File | readonly (string | File)[]>>;

/**
 * A minimal browser without a socket: it keeps cookies, follows redirects, and sends the forms of pages
 * with their hidden fields.
 */
export interface Visitor {
  readonly get: (target: string, init?: RequestInit) => Promise<Response>;
  readonly post: (target: string, body?: PostBody, init?: RequestInit) => Promise<Response>;
  /**
   * Sends the first form of the page, in its encoding: its hidden fields, and `fields`. A page that is given by its
   * address is opened first; the answer to a refused form is a page, too. Rejects for a file if the form cannot send
   * one.
   */
  readonly submit: (
    page: string | Response,
    fields: FieldsWithFiles,
    init?: RequestInit,
  ) => Promise<Response>;
  /** Follows redirects until another answer arrives. */
  readonly follow: (response: Response) => Promise<Response>;
  /** The value of a cookie of the visitor, or null. */
  readonly cookie: (name: string) => string | null;
}

const MAX_REDIRECTS = 10;

/**
 * A visitor of the application, without a socket. `always` is added to every request, such as a Host or the
 * visitor's address.
 */
export function createVisitor(application: Application, always: RequestInit = {}): Visitor {
  const cookies = new Map<string, string>();
  const addresses = new WeakMap<Response, string>();

  const withCookies = (init: RequestInit = {}): RequestInit => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const held = cookies.size === 0 ? {} : { cookie };
    return { ...always, ...init, headers: { ...held, ...always.headers, ...init.headers } };
  };
  const send = async (request: Request): Promise<Response> => {
    const response = await application.handle(request);
    addresses.set(response, request.target);
    for (const line of [response.headers['Set-Cookie'] ?? []].flat()) {
      const name = line.slice(0, line.indexOf('='));
      if (/; Max-Age=0\b/.test(line)) cookies.delete(name);
      else cookies.set(name, readCookie(line, name)[0] ?? '');
    }
    return response;
  };

  const visitor: Visitor = {
    get: async (target, init) => send(get(target, withCookies(init))),
    post: async (target, body, init) => send(post(target, body, withCookies(init))),
    async submit(page, fields, init) {
      const shown = typeof page === 'string' ? await visitor.get(page) : page;
      const address = typeof page === 'string' ? page : addresses.get(page);
      if (address === undefined)
        throw new Error(
          'Cannot send the form of a page that another visitor has fetched: its address and cookies are not known here. Fetch it with this visitor: submit(await visitor.get(path), …), or submit(path, …).',
        );
      const forms = [...mainOf(bodyText(shown)).matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)];
      // The filters of a list are a form that is not sent with POST.
      const form = forms.find(([, tag]) => / method="post"/i.test(tag ?? '')) ?? forms[0];
      if (form === undefined)
        throw new Error(`Cannot fill the form on ${address}: the answer ${shown.status} has none.`);
      const [, attributes = '', content = ''] = form;
      const action = / action="([^"]*)"/.exec(attributes)?.[1];
      const target = resolvePath(unescapeHtml(action ?? ''), address);
      const sent = toSent(content, fields);
      if (/ enctype="multipart\/form-data"/i.test(attributes))
        return visitor.post(target, toFormData(sent), init);
      if (!isText(sent))
        throw new Error(
          `Cannot send a file with the form on ${address}: it has no enctype="multipart/form-data", so a browser would send the name of the file alone. Draw the form with formTag.`,
        );
      return visitor.post(target, sent, init);
    },
    async follow(response) {
      let answer = response;
      for (let count = 0; count < MAX_REDIRECTS && answer.status === 303; count++) {
        answer = await visitor.get(resolvePath(String(answer.headers['Location']), '/'));
      }
      return answer;
    },
    cookie: (name) => cookies.get(name) ?? null,
  };
  return visitor;
}

/**
 * The body as text; of a page with the characters for the references that `html` writes, such as a curly quote. Throws
 * for a stream.
 */
export function bodyText({ body, headers }: Response): string {
  if (body === null) return '';
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('Cannot read the body as text: it is a stream.');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return isPageType(String(headers['Content-Type'])) ? readReferences(text) : text;
}

/** The markup with the characters that `html` has written as references: those beyond Latin-1. */
function readReferences(markup: string): string {
  return markup.replace(/&#(\d+);/g, (reference, code) =>
    Number(code) > 0xff ? String.fromCodePoint(Number(code)) : reference,
  );
}

function isText(fields: FieldsWithFiles): fields is TypedFields {
  return Object.values(fields)
    .flat()
    .every((value) => typeof value === 'string');
}

/** For `post`: a form with files, whether or not one was chosen. */
export function toFormData(fields: FieldsWithFiles): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) data.append(name, one);
  return data;
}

/** A file is sent beside the hidden fields of its name, which refer to parked files; a text instead of them. */
function toSent(markup: string, fields: FieldsWithFiles): FieldsWithFiles {
  const hidden = hiddenFields(markup);
  const sent: Record<string, FieldsWithFiles[string]> = { ...hidden, ...fields };
  for (const [name, values] of Object.entries(hidden)) {
    const given = [fields[name] ?? []].flat();
    if (given.some((one) => one instanceof File)) sent[name] = [...[values].flat(), ...given];
  }
  return sent;
}

function mainOf(markup: string): string {
  return markup.slice(Math.max(0, markup.indexOf('<main')));
}

/**
 * The hidden fields in the HTML of forms, by name; a list of texts for a name that a form has several times. Of several
 * forms, the last with a name has its texts.
 */
export function hiddenFields(markup: string): TypedFields {
  return Object.assign({}, ...markup.split('</form>').map(hiddenOf));
}

function hiddenOf(markup: string): TypedFields {
  const fields: Record<string, string | readonly string[]> = {};
  for (const [tag] of markup.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    const name = unescapeHtml(/ name="([^"]*)"/.exec(tag)?.[1] ?? '');
    const value = unescapeHtml(/ value="([^"]*)"/.exec(tag)?.[1] ?? '');
    const known = fields[name];
    if (name !== '') fields[name] = known === undefined ? value : [...[known].flat(), value];
  }
  return fields;
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** As a browser does on the page: `?send` keeps the page's path, and no fragment is sent. */
function resolvePath(action: string, page: string): string {
  const { pathname, search } = new URL(action, new URL(page, 'http://site.test'));
  return `${pathname}${search}`;
}
