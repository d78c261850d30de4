/** What axe finds on a page as it stands, one line for each rule that is broken. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { SCRIPTS_RUN } from './script-modes.ts';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Those that the width or the colours of a page decide. */
const RULES_OF_VIEW = [
  'color-contrast',
  'link-in-text-block',
  'scrollable-region-focusable',
  'target-size',
];

/** Each width and each scheme once: four views of every page took a tenth of all tests. */
export const VIEWS = [
  { colorScheme: 'light', width: 1200 },
  { colorScheme: 'dark', width: 320 },
] as const;

/**
 * Without scripts there is no axe. When it looks at the same page again, in another view, it checks only `rules`: those
 * that the view may change.
 */
export async function findViolations(
  page: Page,
  rules: readonly string[] = RULES_OF_VIEW,
): Promise<readonly string[]> {
  if (!SCRIPTS_RUN) return [];
  await page.waitForLoadState();
  const isSamePage = await page.evaluate<boolean>("'axe' in window");
  if (!isSamePage) await page.evaluate(AXE);
  // To describe every element that keeps the rules, too, would take axe most of its time. No rule that is on needs the
  // style sheets, which it would load again.
  const options = {
    preload: false,
    resultTypes: ['violations'],
    ...(isSamePage ? { runOnly: rules } : {}),
  };
  const run = `axe.run(document, ${JSON.stringify(options)})`;
  const { violations, passes } = await page.evaluate<AxeResults>(run);
  assert.ok(passes.length > (isSamePage ? 0 : 10), 'axe has looked');
  return violations.map(({ id, help, nodes }) => {
    const places = nodes.map(({ target }) => target.join(' ')).join(', ');
    return `${id}: ${help}: ${places}`;
  });
}
