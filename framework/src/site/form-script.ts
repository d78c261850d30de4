/** The script of forms, for a site with `forms: { script: true }`, and the limit of its requests. */
import type { FormScript } from '../form/form-script.ts';
import type { BrowserScript } from '../http/browser-script.ts';
import { HttpError } from '../http/http-error.ts';
import { sharesOf } from '../middleware/client-shares.ts';
import { createMemoryRateStore, secondsUntilNext } from '../middleware/rate-store.ts';
import { FORM_SCRIPT } from './form-script-text.ts';
import { type ServedScript, serveScript } from './serve-script.ts';
import type { SiteForms } from './stores.ts';

/** Requests of the script within a minute: more than anybody types. */
const SHARES = { maxPerAccount: 120, maxPerNetwork: 480 };
const MINUTE = 60_000;

/** Null for a site without it. `base` is that of the router. */
export function createFormScript(
  { script }: SiteForms,
  base = '',
): (FormScript & ServedScript) | null {
  if (script !== true) return null;
  const rates = createMemoryRateStore();
  return {
    ...serveScript(SCRIPT, base),
    connects: true,
    async limit(request) {
      const empty = await rates.take(sharesOf(request, SHARES), MINUTE);
      if (empty === null) return;
      const headers = { 'Retry-After': String(secondsUntilNext(empty)) };
      throw new HttpError(429, ({ words }) => words.tooManySent, { headers, isReported: false });
    },
  };
}

const SCRIPT: BrowserScript = { name: 'form', text: FORM_SCRIPT };
