/**
 * A script of the framework as a file whose address has its hash, its tag, and what it needs in the policy. Policy and
 * tag have the hash too, so a browser runs this file and no other.
 */
import { hash } from 'node:crypto';
import type { BrowserScript } from '../http/browser-script.ts';
import { type Html, html } from '../http/html.ts';
import type { PolicySource } from '../middleware/content-security-policy.ts';
import type { StaticFiles } from '../middleware/serve-files.ts';
import { createStaticFile } from '../middleware/static-file.ts';

export interface ServedScript {
  readonly files: StaticFiles;
  readonly source: PolicySource;
  readonly tag: Html;
  /** Whether it sends requests to the site. */
  readonly connects: boolean;
}

/** The address has the hash of the file. */
const FOREVER = 'public, max-age=31536000, immutable';

/** `base` is that of the router. */
export function serveScript({ name, text }: BrowserScript, base: string): ServedScript {
  const digest = hash('sha256', text, 'base64');
  const path = `${base}/${name}-${hash('sha256', text).slice(0, 16)}.js`;
  const body = new TextEncoder().encode(text);
  const file = createStaticFile(body, 'text/javascript; charset=utf-8', 0, FOREVER);
  return {
    files: new Map([[path, file]]),
    source: `'sha256-${digest}'`,
    tag: html`<script type="module" src="${path}" integrity="sha256-${digest}"></script>`,
    connects: false,
  };
}
