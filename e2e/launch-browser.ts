/**
 * One Chromium for all stories of a file: each gets its own context in it, which knows nothing of the
 * others. It believes in one certificate that no authority has signed, that of the balancers here.
 *
 * Most stories are told in Chromium's headless shell where it is installed: the same pages for half
 * the work. The hard case: it fills in no form that Back leads to. So stories that go Back are told
 * in the whole Chromium.
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
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
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

/** The program for a story, undefined where there is none. CHROMIUM names one for all stories. */
export function findChromium(goesBack: boolean): string | undefined {
  const named = process.env['CHROMIUM'] ?? '';
  return [named, ...(goesBack ? [] : SHELLS), ...PLACES].find(isExecutable);
}

export function shareCertificate(): Certificate {
  certificate ??= makeCertificate(folder);
  return certificate;
}

/** `trusted` says whether the stories of this file are told behind balancers. */
export function shareBrowser(
  executablePath: string,
  trusted: Certificate | null,
): Promise<Browser> {
  const launched =
    browsers.get(executablePath) ??
    chromium.launch({
      executablePath,
      args: trusted === null ? ARGUMENTS : [...ARGUMENTS, trust(trusted)],
      // As for everybody: a page that is left is kept whole, and Back shows it without a request.
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
