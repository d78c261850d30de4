/**
 * What Turbo and htmx need beyond the strict policy. Both write markup as text, which Trusted Types
 * would refuse; both fetch pages of their own site. Neither needs a nonce, so pages keep their 304.
 * `e2e/turbo-and-htmx.release.test.ts` runs them in a browser.
 */

/** For Turbo 8, served from the site itself. */
export const turboPolicy = {
  'script-src': ["'self'"],
  'connect-src': ["'self'"],
  // The style of the progress bar that Turbo 8 adds to every page: the same text in 8.0.0 to 8.0.23.
  'style-src': ["'self'", "'sha256-WAyOw4V+FqDc35lQPyRADLBWbuNK8ahvYEaQIYF1+Ps='"],
  'trusted-types': null,
} as const;

/**
 * For htmx 2, served from the site itself, with `includeIndicatorStyles` and `allowEval` switched off in
 * its `htmx-config`.
 */
export const htmxPolicy = {
  'script-src': ["'self'"],
  'connect-src': ["'self'"],
  'trusted-types': null,
} as const;
