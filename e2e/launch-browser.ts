/**
 * One Chromium, and one Firefox, for all stories (browser tests) of a file; each story gets its own browser context.
 * Chromium trusts one self-signed certificate, that of the proxies in these tests.
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
import { type Browser, chromium, firefox } from 'playwright-core';
import { findProgram, isExecutable } from '../deploy/find-program.ts';
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

/** Null if it is missing. */
export const findFirefox = (): string | null => findProgram('firefox-esr');

/** For stories without proxies. Its windows are driven over WebDriver BiDi, as those of any Firefox. */
export function shareFirefox(executablePath: string): Promise<Browser> {
  const launched = browsers.get(executablePath) ?? launchFirefox(executablePath);
  browsers.set(executablePath, launched);
  return launched;
}

const SETS_MEDIA = 'emulation.setMediaFeaturesOverride';

/** What Playwright has inside, and does not promise. */
interface Inside {
  readonly _connection: {
    toImpl(browser: unknown): { readonly _browserSession: object };
  };
}

type Send = (method: string, parameters: object) => Promise<unknown>;

/**
 * Playwright sets the colour scheme of every window, with a command that this Firefox does not have: it is left out.
 * Each window has the light scheme and reduced motion.
 */
async function launchFirefox(executablePath: string): Promise<Browser> {
  const browser = await firefox.launch({
    ...{ channel: 'moz-firefox', executablePath },
    firefoxUserPrefs: { 'ui.prefersReducedMotion': 1 },
  });
  const inside = (browser as unknown as Inside)._connection.toImpl(browser);
  const sessions: { send: Send } = Object.getPrototypeOf(inside._browserSession);
  const { send } = sessions;
  sessions.send = function (this: unknown, method, parameters) {
    return method === SETS_MEDIA ? Promise.resolve({}) : send.call(this, method, parameters);
  };
  return browser;
}

function trust({ text }: Certificate): string {
  const key = new X509Certificate(text).publicKey.export({ type: 'spki', format: 'der' });
  const digest = createHash('sha256').update(key).digest('base64');
  return `--ignore-certificate-errors-spki-list=${digest}`;
}
