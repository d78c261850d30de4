/**
 * Describes the User-Agent header for people: "Firefox on Linux", or "A browser" if it is unknown.
 * A client can send any header, so the description proves nothing.
 *
 * A User-Agent also contains the names of older browsers: Edge names Chrome, and Chrome names
 * Safari. So the order of the list matters: newer names come first.
 */
import type { Request } from '../http/request.ts';
import { sayIn } from './say.ts';

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|HeadlessChrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** `agent` is the User-Agent header; empty without one. The words are in the language of the request. */
export function describeAgent(agent: string, request: Pick<Request, 'slots'>): string {
  const say = sayIn(request);
  const browser = findName(BROWSERS, agent);
  if (browser === null) return say('A browser');
  const system = findName(SYSTEMS, agent);
  return system === null ? browser : say('{browser} on {system}', { browser, system });
}

function findName(known: typeof BROWSERS, agent: string): string | null {
  return known.find(([expression]) => expression.test(agent))?.[1] ?? null;
}
