/**
 * What a browser calls itself, in words that people recognise it by: "Firefox on Linux". It is a
 * small honest reading: what is not known is "A browser", and nobody may take it for a proof.
 *
 * The hard case: every browser also names its ancestors, so that the youngest is looked for first.
 */
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

/** `agent` is the header User-Agent, or an empty text. */
export function describeAgent(agent: string): string {
  const browser = findName(BROWSERS, agent);
  if (browser === null) return 'A browser';
  const system = findName(SYSTEMS, agent);
  return system === null ? browser : `${browser} on ${system}`;
}

function findName(known: typeof BROWSERS, agent: string): string | null {
  return known.find(([expression]) => expression.test(agent))?.[1] ?? null;
}
