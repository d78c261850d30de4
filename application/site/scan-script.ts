/** The script of the page to scan, as page-script.ts for its own. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Html, html } from 'seeother';

const FILE = join(import.meta.dirname, '..', 'public', 'scan.js');

const digest = createHash('sha256').update(readFileSync(FILE)).digest('base64');

/** As a source of `script-src`. */
export const SCAN_SCRIPT_SOURCE = `'sha256-${digest}'` as const;

export const SCAN_SCRIPT_TAG: Html = html`<script type="module" src="/scan.js" integrity="sha256-${digest}"></script>`;
