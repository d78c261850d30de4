/**
 * What the policy of the pages allows: their script fetches pages, and that of /scan reads codes. Lighthouse fetches
 * /robots.txt in a page, and reports it if that is refused.
 */
import { SCRIPT_SOURCE } from './page-script.ts';
import { SCAN_SCRIPT_SOURCE } from './scan-script.ts';

export const PAGE_POLICY = {
  'script-src': [SCRIPT_SOURCE, SCAN_SCRIPT_SOURCE],
  'connect-src': ["'self'"],
} as const;
