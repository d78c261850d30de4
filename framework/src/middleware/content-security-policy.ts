/**
 * A Content-Security-Policy (CSP level 3), checked and written once, at start. Directives are replaced one by
 * one, because browsers do not fall back to `default-src` for `form-action`, `frame-ancestors` and `base-uri`:
 * one that is left out stays strict.
 */

/** `'nonce'` is not in CSP: each response gets its own `'nonce-…'` in that place. */
type Keyword =
  | "'none'"
  | "'self'"
  | "'nonce'"
  | "'strict-dynamic'"
  | "'unsafe-inline'"
  | "'unsafe-eval'"
  | "'unsafe-hashes'"
  | "'wasm-unsafe-eval'"
  | "'report-sample'";

/** A source expression: a keyword in its quotes, a hash, `https:`, or a host such as `cdn.example`. */
export type PolicySource =
  | Keyword
  | `'sha${256 | 384 | 512}-${string}'`
  | '*'
  | `${string}:${string}`
  | `${string}.${string}`;

const DIRECTIVES = [
  'default-src',
  'script-src',
  'script-src-elem',
  'script-src-attr',
  'style-src',
  'style-src-elem',
  'style-src-attr',
  'img-src',
  'font-src',
  'connect-src',
  'media-src',
  'object-src',
  'frame-src',
  'worker-src',
  'manifest-src',
  'form-action',
  'frame-ancestors',
  'base-uri',
] as const;

type Directive = (typeof DIRECTIVES)[number];

/** The directives that differ from the strict policy. */
export interface SecurityPolicy extends Partial<Record<Directive, readonly PolicySource[]>> {
  /**
   * Names of the Trusted Types policies that scripts may create; none by default. Null does without
   * Trusted Types, for scripts that write markup as text.
   */
  readonly 'trusted-types'?: readonly string[] | null;
}

const STRICT: SecurityPolicy = {
  'default-src': ["'none'"],
  'style-src': ["'self'"],
  'img-src': ["'self'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'trusted-types': [],
};

const NONCE = "'nonce'";

export interface CompiledPolicy {
  /** The header's value without a nonce. */
  readonly text: string;
  /** The header's value with this nonce; null if no directive has the source `'nonce'`. */
  readonly withNonce: ((nonce: string) => string) | null;
}

/** Throws for an unknown directive and for a source that is not valid. */
export function compilePolicy(policy: SecurityPolicy): CompiledPolicy {
  const { 'trusted-types': trusted, ...directives } = { ...STRICT, ...policy };
  const lists = Object.entries(directives).filter(([, sources]) => sources !== undefined);
  for (const [name, sources] of lists) checkDirective(name, sources);
  const end = trusted == null ? [] : writeTrustedTypes(trusted);
  const write = (mark: string | null) =>
    [...lists.map(([name, sources]) => writeDirective(name, sources, mark)), ...end].join('; ');
  const text = write(null);
  // An empty nonce is not a valid source, so the text has this mark in the places of the nonce only.
  const parts = write("'nonce-'").split("'nonce-'");
  return {
    text,
    withNonce: parts.length === 1 ? null : (nonce) => parts.join(`'nonce-${nonce}'`),
  };
}

function writeDirective(name: string, sources: readonly string[], nonce: string | null): string {
  const written = sources.flatMap((one) => (one === NONCE ? (nonce ?? []) : one));
  return `${name} ${written.length === 0 ? "'none'" : written.join(' ')}`;
}

function writeTrustedTypes(names: readonly string[]): readonly string[] {
  for (const name of names) {
    if (/^[\w\-#=/@.%]+$/.test(name)) continue;
    throw new TypeError(
      `Cannot use ${JSON.stringify(name)} in trusted-types: the name of a policy consists of letters, digits and -#=_/@.%`,
    );
  }
  const allowed = names.length === 0 ? "'none'" : names.join(' ');
  return ["require-trusted-types-for 'script'", `trusted-types ${allowed}`];
}

function checkDirective(name: string, sources: readonly string[]): void {
  if (!DIRECTIVES.some((one) => one === name)) {
    throw new TypeError(
      `Cannot use the directive ${JSON.stringify(name)}: the policy can have ${DIRECTIVES.join(', ')} and trusted-types.`,
    );
  }
  for (const source of sources) {
    const flaw = findFlaw(source, sources);
    if (flaw === null) continue;
    throw new TypeError(`Cannot use the source ${JSON.stringify(source)} in ${name}: ${flaw}`);
  }
}

const KEYWORDS =
  /^'(?:none|self|nonce|strict-dynamic|unsafe-inline|unsafe-eval|unsafe-hashes|wasm-unsafe-eval|report-sample)'$/;
const HASH = /^'sha(?:256|384|512)-[A-Za-z0-9+/_-]+={0,2}'$/;
const SCHEME = /^[a-z][a-z\d+.-]*:$/i;
const HOST =
  /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:\*|(?:\*\.)?[a-z\d-]+(?:\.[a-z\d-]+)*)(?::(?:\d+|\*))?(?:\/[\w\-.~!$&'()*+=:@%/]*)?$/i;

/** Why the source cannot be used, with the remedy; null if it can. */
function findFlaw(source: string, all: readonly string[]): string | null {
  if (/[\s;,]/.test(source)) {
    return 'it contains white space, a semicolon or a comma, which would end it. Pass each source as an element of its own; in a path, write %3B and %2C.';
  }
  if (source.startsWith("'nonce-"))
    return `a nonce that stays the same protects nothing. Write "${NONCE}": each response gets its own.`;
  if (KEYWORDS.test(`'${source}'`)) return `keywords have quotes. Write "'${source}'".`;
  if (source === "'none'" && all.length > 1)
    return 'it has to be the only source. Leave it out, or leave out the others.';
  if (KEYWORDS.test(source) || HASH.test(source) || SCHEME.test(source) || HOST.test(source))
    return null;
  return 'it is not a source expression. Write a keyword such as "\'self\'", a hash such as "\'sha256-…\'", a scheme such as "https:", or a host such as "cdn.example" or "https://cdn.example/scripts/".';
}
