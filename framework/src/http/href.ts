/**
 * Redirect targets. Text from a request cannot become one by accident: a path comes from `createLinks`, or is
 * checked by `localPath` or `toLocalPath`, and an address on another site needs `externalUrl`.
 */
declare const local: unique symbol;

/** A path on this site with its query, percent-encoded. A template escapes it like any other text. */
export type Href = string & { readonly [local]: true };

/** An address on another site. */
export class ExternalUrl {
  readonly href: string;

  constructor(url: URL) {
    this.href = url.href;
  }
}

const LOCAL = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/;

/** Checks that text is a path on this site. Throws a TypeError for anything else. */
export function localPath(text: string): Href {
  if (LOCAL.test(text)) return text as Href;
  throw new TypeError(
    `Cannot use ${JSON.stringify(text)} as a path on this site: start it with one "/" and percent-encode characters outside ASCII.`,
  );
}

/** The path with these pairs, encoded as `name=text`, behind the query that it may have. */
export function withQuery(path: string, pairs: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${pairs}`;
}

/** The path with one more pair in its query. The name is encoded already. */
export function withPair(path: string, name: string, text: string): string {
  return withQuery(path, `${name}=${encodeURIComponent(text)}`);
}

/** Declares an address on another site. Throws a TypeError unless it is http or https. */
export function externalUrl(text: string): ExternalUrl {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return new ExternalUrl(url);
  throw new TypeError(
    `Cannot use ${JSON.stringify(text)} as an address on another site: write a full URL, like https://example.com/.`,
  );
}
