/**
 * Addresses that may be redirected to. A path on this site is an `Href`: made from a pattern by
 * `createLinks`, or checked by `localPath` and `toLocalPath`. An address on another site has to be
 * named as one, so that no text from a request becomes a redirect by accident.
 */
declare const local: unique symbol;

/** A path on this site with its query, percent-encoded. It is text like any other in a page. */
export type Href = string & { readonly [local]: true };

/** An address on another site. */
export class ExternalUrl {
  readonly href: string;

  constructor(url: URL) {
    this.href = url.href;
  }
}

const LOCAL = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/;

/** Takes text for a path on this site. Throws a TypeError for anything else. */
export function localPath(text: string): Href {
  if (LOCAL.test(text)) return text as Href;
  throw new TypeError(
    `Cannot take ${JSON.stringify(text)} for a path on this site: start it with one "/" and percent-encode what is not ASCII.`,
  );
}

/** Names an address on another site, on purpose. Throws a TypeError unless it is http or https. */
export function externalUrl(text: string): ExternalUrl {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return new ExternalUrl(url);
  throw new TypeError(
    `Cannot take ${JSON.stringify(text)} for an address on another site: write it whole, like https://example.com/.`,
  );
}
