/**
 * Cookies (RFC 6265). The parser trims only spaces and tabs. With other white space a name is a
 * different cookie, which an attacker may have set to be taken for ours.
 */

export interface CookieAttributes {
  /** Seconds until the browser forgets the cookie; 0 removes it. */
  readonly maxAge: number;
  readonly path: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  readonly sameSite: 'Strict' | 'Lax';
}

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

/** All values of the cookie in the header, in order; usually zero or one. */
export function readCookie(header: string | undefined, name: string): readonly string[] {
  if (header === undefined || !header.includes(name)) return [];
  const values: string[] = [];
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals === -1 || trimBlanks(pair.slice(0, equals)) !== name) continue;
    values.push(trimBlanks(pair.slice(equals + 1)));
  }
  return values;
}

/**
 * The value of a `Set-Cookie` header. Throws if name, value or path contain characters that could end
 * it.
 */
export function serializeCookie(name: string, value: string, attributes: CookieAttributes): string {
  if (!NAME.test(name))
    throw new TypeError(
      `Cannot set a cookie named ${JSON.stringify(name)}: the name is not a token.`,
    );
  if (!VALUE.test(value)) {
    throw new TypeError(
      `Cannot set the cookie ${name}: its value contains a character that must be encoded first.`,
    );
  }
  if (!/^\/[\x21-\x3a\x3c-\x7e]*$/.test(attributes.path)) {
    throw new TypeError(
      `Cannot set the cookie ${name}: ${JSON.stringify(attributes.path)} is not a path.`,
    );
  }
  let cookie = `${name}=${value}; Path=${attributes.path}; Max-Age=${Math.trunc(attributes.maxAge)}`;
  if (attributes.httpOnly) cookie += '; HttpOnly';
  if (attributes.secure) cookie += '; Secure';
  return `${cookie}; SameSite=${attributes.sameSite}`;
}

function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}
