/**
 * What becomes of scripts in all stories: SCRIPTS is `on` (the default), `off`, `cut` (their requests get no answer) or
 * `failing` (they throw while they show an answer). A story passes with each; one about scripts has `needsScripts`.
 */
import type { BrowserContext, BrowserContextOptions } from 'playwright-core';

/** Run before the scripts of a page. */
const SABOTAGE = new Map([
  [
    'cut',
    "XMLHttpRequest.prototype.send = function () { setTimeout(() => this.dispatchEvent(new Event('error')), 20); }",
  ],
  ['failing', "Node.prototype.isEqualNode = () => { throw new Error('broken'); }"],
]);

const mode = process.env['SCRIPTS'] ?? 'on';
if (!['on', 'off', ...SABOTAGE.keys()].includes(mode))
  throw new TypeError(`SCRIPTS cannot be ${JSON.stringify(mode)}: use on, off, cut or failing.`);

export const SCRIPTS_WORK = mode === 'on';
/** Whether axe can look at a page. */
export const SCRIPTS_RUN = mode !== 'off';

export const SCRIPT_OPTIONS: BrowserContextOptions =
  mode === 'off' ? { javaScriptEnabled: false } : {};

export async function sabotageScripts(context: BrowserContext): Promise<void> {
  const script = SABOTAGE.get(mode);
  if (script !== undefined) await context.addInitScript(script);
}
