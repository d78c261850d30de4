/** The scripts of the framework that a site serves: their files, their tags, and what they need in the policy. */
import type { FormScript } from '../form/form-script.ts';
import type { BrowserScript } from '../http/browser-script.ts';
import type { Html } from '../http/html.ts';
import type { PolicySource, SecurityPolicy } from '../middleware/content-security-policy.ts';
import type { SecureHeadersOptions } from '../middleware/secure-headers.ts';
import type { StaticFiles } from '../middleware/serve-files.ts';
import { createFormScript } from './form-script.ts';
import { type ServedScript, serveScript } from './serve-script.ts';
import type { SiteForms } from './stores.ts';

/** The scripts of a site. */
export interface ServedScripts {
  readonly all: readonly ServedScript[];
  readonly form: FormScript | null;
  /** Without that of forms, which its forms know. */
  readonly tags: ReadonlyMap<BrowserScript, Html>;
}

/** Those of `stores.scripts`, and that of forms if the site wants it. `base` is that of the router. */
export function serveScripts(
  scripts: readonly BrowserScript[] = [],
  forms: SiteForms,
  base = '',
): ServedScripts {
  const form = createFormScript(forms, base);
  const tagged = scripts.map((one) => [one, serveScript(one, base)] as const);
  const tags = new Map(tagged.map(([one, { tag }]) => [one, tag]));
  return { form, tags, all: [...(form === null ? [] : [form]), ...tagged.map(([, one]) => one)] };
}

/** The files of a site with those of its scripts; undefined if there are none. */
export function withFiles(
  files: StaticFiles | undefined,
  { all }: ServedScripts,
): StaticFiles | undefined {
  if (all.length === 0) return files;
  return new Map([...(files ?? []), ...all.flatMap((one) => [...one.files])]);
}

/** The headers of a site, whose policy has what its scripts need: their files, and for some, requests to the site. */
export function withScripts(
  headers: SecureHeadersOptions<SecurityPolicy> | undefined,
  { all }: { readonly all: readonly Pick<ServedScript, 'source' | 'connects'>[] },
): SecureHeadersOptions<SecurityPolicy> | undefined {
  if (all.length === 0) return headers;
  const { policy = {} } = headers ?? {};
  const name = policy['script-src-elem'] === undefined ? 'script-src' : 'script-src-elem';
  let sources = policy[name] ?? [];
  // Beside a hash, browsers ignore 'unsafe-inline', which then was meant.
  const isInline = sources.includes("'unsafe-inline'");
  for (const { source } of all) sources = withSource(sources, isInline ? "'self'" : source);
  const connections = all.some(({ connects }) => connects) && {
    'connect-src': withSource(policy['connect-src'] ?? [], "'self'"),
  };
  return { ...headers, policy: { ...policy, [name]: sources, ...connections } };
}

function withSource(
  sources: readonly PolicySource[],
  added: PolicySource,
): readonly PolicySource[] {
  const isCovered = sources.includes("'self'") && !sources.includes("'strict-dynamic'");
  if (isCovered || sources.includes(added)) return sources;
  return [...sources.filter((one) => one !== "'none'"), added];
}
