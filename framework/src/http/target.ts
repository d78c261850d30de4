/**
 * The one reading of a request target (RFC 9112 section 3.2): router, static files, guards and log
 * all see the path that is made here, so none can be led past another.
 *
 * The path is percent-decoded once. Two escapes stay as they are, `%2F` and `%25`: a slash inside a
 * value never becomes a separator, and what is left stays unambiguous. `decodeParameter` finishes
 * the work for a single value, after the path has been matched.
 */

export interface Target {
  /** Decoded path; the undecoded one when it is malformed. */
  readonly path: string;
  /** The query as sent, without `?`; empty when there is none. */
  readonly search: string;
  /** Why the target cannot be served, or null. */
  readonly malformed: string | null;
}

const KEPT_ESCAPES = /%(2f|25)/gi;
const UNSAFE = /[^\x21-\x7e]|[#\\]/;
/** A line end most of all: no path of a person has one. */
const CONTROL = /\p{Cc}/u;
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/i;

/** `host` is the Host header: a target in absolute form must name the same one. */
export function readTarget(target: string, host: string | undefined): Target {
  if (target.charCodeAt(0) !== 47 /* / */) return readUnusualTarget(target, host);
  const mark = target.indexOf('?');
  const raw = mark === -1 ? target : target.slice(0, mark);
  const search = mark === -1 ? '' : target.slice(mark + 1);
  if (UNSAFE.test(target)) {
    return { path: raw, search, malformed: 'The address holds a character that must be escaped.' };
  }
  if (!raw.includes('%')) return { path: raw, search, malformed: null };
  const path = decodePath(raw);
  if (path === null) {
    return {
      path: raw,
      search,
      malformed: 'The address holds a percent escape that is not UTF-8.',
    };
  }
  if (CONTROL.test(path)) {
    return { path: raw, search, malformed: 'The address holds a control character.' };
  }
  return { path, search, malformed: null };
}

/** Absolute form (`http://host/path`) and asterisk form; anything else is malformed. */
function readUnusualTarget(target: string, host: string | undefined): Target {
  if (target === '*') return { path: '*', search: '', malformed: null };
  const absolute = ABSOLUTE_FORM.exec(target);
  if (absolute === null) {
    return { path: target, search: '', malformed: 'The address does not start with a slash.' };
  }
  const [, authority = '', rest = ''] = absolute;
  const read = readTarget(rest.startsWith('/') ? rest : `/${rest}`, host);
  if (authority.toLowerCase() === host?.toLowerCase()) return read;
  return { ...read, malformed: 'The address names another host than the Host header does.' };
}

function decodePath(raw: string): string | null {
  try {
    return decodeURIComponent(
      raw.replace(KEPT_ESCAPES, (kept) => `%25${kept.slice(1).toUpperCase()}`),
    );
  } catch {
    return null;
  }
}

/** Literal text as a path has it, for comparing the two. */
export function escapeLiteral(text: string): string {
  return text.replaceAll('%', '%25');
}

/** The value of a path parameter: undoes the two escapes that the path has kept. */
export function decodeParameter(segment: string): string {
  if (!segment.includes('%')) return segment;
  return segment.replaceAll('%2F', '/').replaceAll('%25', '%');
}
