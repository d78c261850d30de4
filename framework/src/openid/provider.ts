/**
 * What an engine of a company's sign-in is asked and what it answers, without its package: `openId` makes such values,
 * and a part of a site that stores accounts uses them. An engine stores nothing: between `begin` and `finish` the
 * caller stores `SignIn`, bound to the browser.
 */

/** A provider of OpenID Connect, as the site uses it. Nothing that the provider does makes a method throw. */
export interface Provider {
  /** The part of the site's addresses, such as `company`. */
  readonly id: string;
  /** The name of the company alone: texts add the rest, such as “Log in with Example”. */
  readonly name: string;
  readonly issuer: string;
  /** With `form_post`, the provider sends a cross-site POST, to which a browser adds no `SameSite=Lax` cookie. */
  readonly responseMode: 'query' | 'form_post';
  /**
   * Each provider needs a `redirectUri` of its own: it tells the answers of two providers apart that name no issuer.
   * With `again`, the provider asks for the password also if the person is signed in there; compare
   * `authenticatedAt` then, because the browser could leave that wish out.
   */
  begin(start: { readonly redirectUri: string; readonly again?: boolean }): Promise<Begun | Away>;
  /**
   * `params` is the query of the address, or the body of the POST. `expected` is what `begin` gave to this browser,
   * taken from the store so that it is used once, or null if there is nothing.
   */
  finish(answer: {
    readonly redirectUri: string;
    readonly params: string;
    readonly expected: SignIn | null;
  }): Promise<SignedIn | Refused | Away>;
  /**
   * A log-out token that the provider has sent (OpenID Connect Back-Channel Logout 1.0, section 2.6). The caller
   * refuses an `id` that it has seen, until `endsAt`.
   */
  readLogOut(logOutToken: string): Promise<LogOut | Refused | Away>;
  /** The page of the provider that ends the session there, and then leads to `returnTo`; null if it has none. */
  logOutUrl(options: {
    readonly returnTo: string;
    readonly idToken?: string;
  }): Promise<string | null>;
}

/** The secrets of one sign-in. */
export interface SignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** What `begin` answers: send the browser to `url`, and store the secrets. */
export interface Begun extends SignIn {
  readonly kind: 'begun';
  /** The provider's page, where the browser goes. */
  readonly url: string;
}

/** What the provider says of a person. `issuer` and `subject` together name an account there, and never change. */
export interface SignedIn {
  readonly kind: 'signed in';
  readonly issuer: string;
  readonly subject: string;
  /** Changes, and may belong to another person later: it links an account only if it is verified. */
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly name: string | null;
  /** What the provider proposes as a username (`preferred_username`): of any characters, and never unique. */
  readonly username: string | null;
  /** Null if the provider says nothing of it. */
  readonly role: string | null;
  /** The session at the provider, which a log-out token may name. */
  readonly sessionId: string | null;
  /** When the person proved to the provider who they are; null if it does not say. */
  readonly authenticatedAt: Date | null;
  /** Whether the option `twoFactors` found that the provider asked for a second factor. */
  readonly twoFactors: boolean;
  /** For `logOutUrl`. It contains personal data. */
  readonly idToken: string;
}

/**
 * `denied`: the person, or the provider, said no. `expired`: begun in another browser, too old, or used before.
 * `invalid`: the answer is not what was asked for, as an attack would be. `not allowed`: the option `allow` said no.
 */
export interface Refused {
  readonly kind: 'refused';
  readonly reason: 'denied' | 'expired' | 'invalid' | 'not allowed';
  /** For the log. */
  readonly detail: string;
}

/** The provider could not be reached, or does not accept how the site is registered: other ways in still work. */
export interface Away {
  readonly kind: 'away';
  /** For the log. */
  readonly detail: string;
}

/** Ends the session `sessionId`, or, if it is null, all sessions of `subject`; one of both is given. */
export interface LogOut {
  readonly kind: 'log out';
  readonly issuer: string;
  readonly subject: string | null;
  readonly sessionId: string | null;
  /** The token's own name (`jti`). */
  readonly id: string;
  /** From then on the token is refused for its age. */
  readonly endsAt: Date;
}
