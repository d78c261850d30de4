/**
 * The one script of the pages. Policy and tag have the hash of its file, so a browser runs that file, byte for byte,
 * and nothing else of the site. While two versions of the application serve, the file of the other one does not run.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Html, html } from 'seeother';

const FILE = join(import.meta.dirname, '..', 'public', 'seeother.js');

const digest = createHash('sha256').update(readFileSync(FILE)).digest('base64');

/** As a source of `script-src`. */
export const SCRIPT_SOURCE = `'sha256-${digest}'` as const;

export const SCRIPT_TAG: Html = html`<script type="module" src="/seeother.js" integrity="sha256-${digest}"></script>`;
