/** Collects what a browser reports when a page violates its policy. */
import type { Page } from 'playwright-core';

/** Violations and uncaught errors that the pages report from now on. */
export function watchPolicy(page: Page): () => readonly string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (/Content Security Policy|Permissions-Policy|Cross-Origin/i.test(text)) found.push(text);
  });
  page.on('pageerror', (error) => found.push(error.message));
  page.on('requestfailed', (request) => {
    const { errorText = '' } = request.failure() ?? {};
    if (/csp|BLOCKED/i.test(errorText)) found.push(`${request.url()}: ${errorText}`);
  });
  return () => found;
}
