/**
 * The script of forms, for a site with `forms: { script: true }`: its file, whose address has its hash, its tag, what
 * it needs in the policy, and the limit of its requests. Policy and tag have the hash too, so a browser runs this file
 * and no other.
 */
import { hash } from 'node:crypto';
import type { FormScript } from '../form/form-script.ts';
import { html } from '../http/html.ts';
import { HttpError } from '../http/http-error.ts';
import { sharesOf } from '../middleware/client-shares.ts';
import type { PolicySource, SecurityPolicy } from '../middleware/content-security-policy.ts';
import { createMemoryRateStore, secondsUntilNext } from '../middleware/rate-store.ts';
import type { SecureHeadersOptions } from '../middleware/secure-headers.ts';
import type { StaticFiles } from '../middleware/serve-files.ts';
import { createStaticFile } from '../middleware/static-file.ts';
import { FORM_SCRIPT } from './form-script-text.ts';
import type { SiteForms } from './stores.ts';

/** Requests of the script within a minute: more than anybody types. */
const SHARES = { maxPerAccount: 120, maxPerNetwork: 480 };
const MINUTE = 60_000;

export interface SiteScript extends FormScript {
  readonly files: StaticFiles;
  readonly source: PolicySource;
}

/** Null for a site without it. `base` is that of the router. */
export function createSiteScript({ script }: SiteForms, base = ''): SiteScript | null {
  if (script !== true) return null;
  const digest = hash('sha256', FORM_SCRIPT, 'base64');
  const path = `${base}/form-${hash('sha256', FORM_SCRIPT).slice(0, 16)}.js`;
  const body = new TextEncoder().encode(FORM_SCRIPT);
  const file = createStaticFile(body, 'text/javascript; charset=utf-8', 0, FOREVER);
  const rates = createMemoryRateStore();
  return {
    files: new Map([[path, file]]),
    source: `'sha256-${digest}'`,
    tag: html`<script type="module" src="${path}" integrity="sha256-${digest}"></script>`,
    async limit(request) {
      const empty = await rates.take(sharesOf(request, SHARES), MINUTE);
      if (empty === null) return;
      const headers = { 'Retry-After': String(secondsUntilNext(empty)) };
      throw new HttpError(429, ({ words }) => words.tooManySent, { headers, isReported: false });
    },
  };
}

/** The address has the hash of the file. */
const FOREVER = 'public, max-age=31536000, immutable';

/** The headers of a site, whose policy has what the script needs: its file, and requests to the site itself. */
export function withScript(
  headers: SecureHeadersOptions<SecurityPolicy> | undefined,
  script: Pick<SiteScript, 'source'> | null,
): SecureHeadersOptions<SecurityPolicy> | undefined {
  if (script === null) return headers;
  const { policy = {} } = headers ?? {};
  const name = policy['script-src-elem'] === undefined ? 'script-src' : 'script-src-elem';
  const scripts = policy[name] ?? [];
  // Beside a hash, browsers ignore 'unsafe-inline', which then was meant.
  const own = scripts.includes("'unsafe-inline'") ? "'self'" : script.source;
  const added = {
    [name]: withSource(scripts, own),
    'connect-src': withSource(policy['connect-src'] ?? [], "'self'"),
  };
  return { ...headers, policy: { ...policy, ...added } };
}

function withSource(
  sources: readonly PolicySource[],
  added: PolicySource,
): readonly PolicySource[] {
  const isCovered = sources.includes("'self'") && !sources.includes("'strict-dynamic'");
  if (isCovered || sources.includes(added)) return sources;
  return [...sources.filter((one) => one !== "'none'"), added];
}
