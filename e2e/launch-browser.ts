/**
 * One Chromium for all stories (browser tests) of a file; each story gets its own browser context. The
 * browser trusts one self-signed certificate, that of the proxies in these tests.
 *
 * Most stories run in Chromium's headless shell if it is installed, which does half the work for the
 * same pages. But the shell does not restore forms on Back, so stories that go back run in the full
 * Chromium.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { isExecutable } from '../deploy/find-program.ts';
import { type Certificate, makeCertificate } from '../deploy/make-certificate.ts';

const SHELLS = ['/usr/bin/chromium-headless-shell'];
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
/**
 * Of the last list alone, Chromium turns off the features. This one repeats those of Playwright that concern pages,
 * and adds the two pages for suggestions below the address bar, which the full Chromium would load in every window.
 */
const TURNED_OFF = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];
/** In the shell, a new document keeps the frame of the one before: only what goes Back needs another frame. */
const OFF_IN_SHELL = [...TURNED_OFF, 'RenderDocument'];
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  // There is no GPU: a process that draws for all pages would only receive and send messages.
  '--in-process-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-sync',
];

const browsers = new Map<string, Promise<Browser>>();
let certificate: Certificate | undefined;
const folder = mkdtempSync(join(tmpdir(), 'seeother-'));

after(async () => {
  for (const browser of browsers.values()) await (await browser).close();
  rmSync(folder, { recursive: true });
});

/** The program for a story, undefined if it is missing. CHROMIUM sets one for all stories. */
export function findChromium(goesBack: boolean): string | undefined {
  const named = process.env['CHROMIUM'] ?? '';
  return [named, ...(goesBack ? [] : SHELLS), ...PLACES].find(isExecutable);
}

export function shareCertificate(): Certificate {
  certificate ??= makeCertificate(folder);
  return certificate;
}

/** `trusted` says whether the stories of this file run behind proxies. */
export function shareBrowser(
  executablePath: string,
  trusted: Certificate | null,
): Promise<Browser> {
  const off = SHELLS.includes(executablePath) ? OFF_IN_SHELL : TURNED_OFF;
  const args = [`--disable-features=${off}`, ...ARGUMENTS];
  const launched =
    browsers.get(executablePath) ??
    chromium.launch({
      executablePath,
      args: trusted === null ? args : [...args, trust(trusted)],
      // As for users: the browser stores a page that is left, and Back shows it without a request.
      // Such a page does not load again: `page.goBack({ waitUntil: 'commit' })`.
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    });
  browsers.set(executablePath, launched);
  return launched;
}

function trust({ text }: Certificate): string {
  const key = new X509Certificate(text).publicKey.export({ type: 'spki', format: 'der' });
  const digest = createHash('sha256').update(key).digest('base64');
  return `--ignore-certificate-errors-spki-list=${digest}`;
}
