/** Times on pages: in the zone of the site, which they name, and relative while they are recent. */
import { formatAgo } from '../form/form-markup.ts';
import { type Html, html } from '../http/html.ts';
import type { Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import { cacheFormats } from '../language/formats.ts';
import type { CheckedOptions } from './account-options.ts';

const DAY = 86_400_000;

const formatOf = cacheFormats(
  ({ code, timeZone }: { readonly code: string; readonly timeZone: string }) =>
    new Intl.DateTimeFormat(code, {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
      timeZone,
    }),
);

/** In the language of the request: `Jun 1, 2026, 12:00 PM UTC`. */
export function formatInstant(
  { formatTime, timeZone }: Pick<CheckedOptions, 'formatTime' | 'timeZone'>,
  at: Date,
  request: Request,
): string {
  if (formatTime !== undefined) return formatTime(at);
  const { code } = languageOf(request);
  return formatOf(`${code} ${timeZone}`, { code, timeZone }).format(at);
}

/** The same as an element. One of the last day also says how long ago it was, which a script can move on. */
export function drawInstant(
  options: Pick<CheckedOptions, 'formatTime' | 'now' | 'timeZone'>,
  at: Date,
  request: Request,
): Html {
  const { now } = options;
  const text = formatInstant(options, at, request);
  const time = html`<time datetime="${at.toISOString()}">${text}</time>`;
  const age = now().getTime() - at.getTime();
  if (age < 0 || age > DAY) return time;
  const ago = formatAgo(at.toISOString(), languageOf(request), now().getTime());
  return html`${time} (<time datetime="${at.toISOString()}">${ago}</time>)`;
}
