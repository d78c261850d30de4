/**
 * Parses a request target (RFC 9112 section 3.2). Router, static files, guards and log all use the path
 * made here, so none of them can read it in another way.
 *
 * The path is percent-decoded once, except `%2F` and `%25`: a slash inside a value never becomes a
 * separator, and the decoded path stays unambiguous. After matching, `decodeParameter` decodes these
 * two in a single value.
 */
import type { Words } from '../language/words.ts';
import { normalizeHost } from './host.ts';

/** A key of the texts `addressFlaws`. */
export type AddressFlaw = keyof Words['addressFlaws'];

export interface Target {
  /** The decoded path; not decoded if it is malformed. */
  readonly path: string;
  /** The query as sent, without `?`; empty without a query. */
  readonly search: string;
  /** Why the target cannot be served, or null. */
  readonly malformed: AddressFlaw | null;
}

const PRESERVED_ESCAPES = /%(2f|25)/gi;
const UNSAFE = /[^\x21-\x7e]|[#\\]/;
/** Such as a line end, which could start a second header or log line. */
const CONTROL = /\p{Cc}/u;
const ABSOLUTE_FORM = /^(https?):\/\/([^/?#]*)(.*)$/i;

/** `host` is the Host header; a target in absolute form must name the same host. */
export function readTarget(target: string, host: string | undefined): Target {
  if (target.charCodeAt(0) !== 47 /* / */) return readUnusualTarget(target, host);
  const mark = target.indexOf('?');
  const raw = mark === -1 ? target : target.slice(0, mark);
  const search = mark === -1 ? '' : target.slice(mark + 1);
  if (UNSAFE.test(target)) {
    return {
      path: raw,
      search,
      malformed: 'unescaped',
    };
  }
  if (!raw.includes('%')) return { path: raw, search, malformed: null };
  const path = decodePath(raw);
  if (path === null) {
    return {
      path: raw,
      search,
      malformed: 'notUtf8',
    };
  }
  if (CONTROL.test(path)) {
    return { path: raw, search, malformed: 'control' };
  }
  return { path, search, malformed: null };
}

/** Absolute form (`http://host/path`) and asterisk form; anything else is malformed. */
function readUnusualTarget(target: string, host: string | undefined): Target {
  if (target === '*') return { path: '*', search: '', malformed: null };
  const absolute = ABSOLUTE_FORM.exec(target);
  if (absolute === null) {
    return { path: target, search: '', malformed: 'noSlash' };
  }
  const [, scheme = '', authority = '', rest = ''] = absolute;
  const read = readTarget(rest.startsWith('/') ? rest : `/${rest}`, host);
  if (host !== undefined && normalizeHost(authority, scheme) === normalizeHost(host, scheme))
    return read;
  return { ...read, malformed: 'otherHost' };
}

/** `/path?query`, also for a target in absolute form; any other target stays as it is. */
export function toOriginForm(target: string): string {
  if (target.charCodeAt(0) === 47 /* / */) return target;
  const [, , , rest] = ABSOLUTE_FORM.exec(target) ?? [];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function decodePath(raw: string): string | null {
  try {
    return decodeURIComponent(
      raw.replace(PRESERVED_ESCAPES, (found) => `%25${found.slice(1).toUpperCase()}`),
    );
  } catch {
    return null;
  }
}

/** Literal text in the form it has in a decoded path, for comparison. */
export function escapeLiteral(text: string): string {
  return text.replaceAll('%', '%25');
}

/** The value of a path parameter: decodes the two remaining escapes. */
export function decodeParameter(segment: string): string {
  if (!segment.includes('%')) return segment;
  return segment.replaceAll('%2F', '/').replaceAll('%25', '%');
}

/** Characters that must be escaped in the path of an address; `%2F` and `%25` are already escapes. */
const UNTYPABLE = /[^\x21-\x7e]|["#<>?\\^`{|}]/gu;

/** A decoded path as it can be typed into an address bar; `readTarget` decodes it to the same path. */
export function toTypedPath(path: string): string {
  return path.toWellFormed().replace(UNTYPABLE, encodeURIComponent);
}
