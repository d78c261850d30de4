/** What axe finds on a page as it stands, one line for each rule that is broken. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** To describe every element that keeps the rules, too, would take axe most of its time. */
const RUN = "axe.run(document, { resultTypes: ['violations'] })";

/** Each width and each scheme once: four views of every page took a tenth of all tests. */
export const VIEWS = [
  { colorScheme: 'light', width: 1200 },
  { colorScheme: 'dark', width: 320 },
] as const;

export async function findViolations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  const { violations, passes } = await page.evaluate<AxeResults>(RUN);
  assert.ok(passes.length > 10, 'axe has looked');
  return violations.map(({ id, help, nodes }) => {
    const places = nodes.map(({ target }) => target.join(' ')).join(', ');
    return `${id}: ${help}: ${places}`;
  });
}
