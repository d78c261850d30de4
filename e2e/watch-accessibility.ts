/** Looks at the pages of a story with axe, and at the console. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { findViolations, VIEWS } from './axe.ts';
import { showsHeading } from './browser.ts';

/** Those of every story, and forced colours, where only contrast may differ. */
const ALL_VIEWS = [
  ...VIEWS.map((view) => ({ ...view, forcedColors: 'none' as const, rules: undefined })),
  { ...VIEWS[0], forcedColors: 'active' as const, rules: ['color-contrast'] },
];

/** The names and classes of all elements. */
const FIND_KINDS = `[...document.querySelectorAll('body *')].map(
  ({ localName, className }) => localName + '.' + className,
)`;

/**
 * Collects what axe finds on each page that is checked, and what the browser complains about. A page with a kind of
 * element that no earlier page had is checked in all views, another one in one view, in turn: the style sheet gives
 * elements of one kind the same colours and sizes everywhere.
 */
export function watchAccessibility(page: Page) {
  const complaints = collectComplaints(page);
  const findings: string[] = [];
  const known = new Set<string>();
  let turn = 0;
  const check = async (name: string, heading: string) => {
    await showsHeading(page, heading);
    const kinds = await page.evaluate<readonly string[]>(FIND_KINDS);
    const isKnown = kinds.every((kind) => known.has(kind));
    for (const kind of kinds) known.add(kind);
    const views = isKnown ? [ALL_VIEWS[turn++ % ALL_VIEWS.length] ?? assert.fail()] : ALL_VIEWS;
    for (const { colorScheme, forcedColors, width, rules } of views) {
      await page.emulateMedia({ colorScheme, forcedColors });
      await page.setViewportSize({ width, height: 800 });
      for (const violation of await findViolations(page, rules))
        findings.push(`${name}, ${colorScheme}, ${width} px, ${forcedColors}: ${violation}`);
    }
  };
  return { check, complaints, findings };
}

/** Errors and warnings in the console, such as those of the page policy, and scripts that failed. */
function collectComplaints(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const { url } = message.location();
    // The browser notes the status of a page that is meant to have it, and asks for an icon unasked.
    const isStatus = message.text().startsWith('Failed to load resource: the server responded');
    if (isStatus && (url === page.url() || url.endsWith('/favicon.ico'))) return;
    complaints.push(`${page.url()}: ${message.text()} (${url})`);
  });
  return complaints;
}
