/** The script of `passkeyForm`, as a part of a site. */
import type { BrowserScript } from '../http/browser-script.ts';
import { PASSKEY_SCRIPT } from './passkey-script-text.ts';

/** For `scripts` of the stores of a site whose pages have a `passkeyForm`; the stores of accounts have it. */
export const passkeyScript: BrowserScript = { name: 'passkeys', text: PASSKEY_SCRIPT };
