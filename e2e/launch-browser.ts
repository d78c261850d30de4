/**
 * One Chromium for all stories of a file: each gets its own context in it, which knows nothing of the
 * others. It believes in one certificate that no authority has signed, that of the balancers here.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { isExecutable } from '../deploy/find-program.ts';
import { type Certificate, makeCertificate } from '../deploy/make-certificate.ts';

const PLACES = [
  process.env['CHROMIUM'] ?? '',
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

let browser: Promise<Browser> | undefined;
let certificate: Certificate | undefined;
const folder = mkdtempSync(join(tmpdir(), 'seeother-'));

after(async () => {
  await (await browser)?.close();
  rmSync(folder, { recursive: true });
});

/** Undefined where there is none. */
export function findChromium(): string | undefined {
  return PLACES.find(isExecutable);
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
  browser ??= chromium.launch({
    executablePath,
    args: trusted === null ? ARGUMENTS : [...ARGUMENTS, trust(trusted)],
    // As for everybody: a page that is left is kept whole, and Back shows it without a request.
    // Such a page does not load again: `page.goBack({ waitUntil: 'commit' })`.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  return browser;
}

function trust({ text }: Certificate): string {
  const key = new X509Certificate(text).publicKey.export({ type: 'spki', format: 'der' });
  const digest = createHash('sha256').update(key).digest('base64');
  return `--ignore-certificate-errors-spki-list=${digest}`;
}
