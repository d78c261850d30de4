/**
 * The form that adds a passkey, or logs in with one. Its script shows it, because only a script can ask for a passkey;
 * without one, the page is as if it had no such form.
 */
import { scriptTag } from '../http/browser-script.ts';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import type { Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import { passkeyScript } from './passkey-script.ts';

/** Options of `passkeyForm`. */
export interface PasskeyFormOptions {
  /** What the form is for: a question of `toAdd`, or one of `toSignIn`. */
  readonly asks: 'add' | 'sign-in';
  /** The `options` of the question. */
  readonly options: string;
  /** The path that the form is sent to, with the answer in the field `response`. */
  readonly action: string;
  readonly button: string;
  /** Further fields, such as the hidden ones of `onceField` and of the next page, or one for the name of a passkey. */
  readonly fields?: HtmlValue;
  /**
   * Whether passkeys are offered among usernames too, while the page is open, in a field with
   * `autocomplete="username webauthn"`. One form of a page can do it. False by default.
   */
  readonly isConditional?: boolean;
}

/** Throws if the site does not serve `passkeyScript`. */
export function passkeyForm(
  { request }: { readonly request: Pick<Request, 'slots'> },
  { asks, options, action, button, fields, isConditional = false }: PasskeyFormOptions,
): Html {
  const { cancelled, known, failed, unsupported } = languageOf(request).words.passkey;
  const conditional = isConditional && html` data-passkey-conditional=""`;
  const texts = html` data-cancelled="${cancelled}" data-known="${known}" data-failed="${failed}" data-unsupported="${unsupported}"`;
  return html`<form method="post" action="${action}" data-passkey="${asks}" data-options="${options}"${conditional}${texts} hidden>
${fields}<input type="hidden" name="response"><button>${button}</button>
<p role="status" data-passkey-error></p>
</form>${scriptTag(request, passkeyScript)}`;
}
