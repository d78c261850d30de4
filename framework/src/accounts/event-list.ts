/** The security log of an account as a table. `list` is the class of tables that a phone shows row by row. */
import { type Html, html } from '../http/html.ts';
import type { Request } from '../http/request.ts';
import type { StoredEvent } from './account-events.ts';
import type { CheckedOptions } from './account-options.ts';
import { describeAgent } from './describe-agent.ts';
import { describeDetail, describeEvent } from './describe-event.ts';
import { drawInstant } from './instants.ts';
import { sayIn } from './say.ts';

/** `hasDevices`: where each event came from, which is only for the user of the account. */
export function drawEvents(
  options: Pick<CheckedOptions, 'formatTime' | 'now' | 'people' | 'providers' | 'timeZone'>,
  events: readonly StoredEvent[],
  request: Request,
  { hasDevices }: { readonly hasDevices: boolean },
): Html | null {
  if (events.length === 0) return null;
  const say = sayIn(request);
  const rows = events.map((event) => {
    const detail = describeDetail(options, event, request);
    const device =
      event.agent === '' ? '' : `${describeAgent(event.agent, request)}, ${event.address}`;
    return html`<tr><td>${drawInstant(options, event.at, request)}</td><td>${describeEvent(event, request)}${detail === '' ? null : html` ${detail}`}</td>${hasDevices ? html`<td>${device}</td>` : null}</tr>\n`;
  });
  return html`<h2 id="activity">${say('Recent activity')}</h2>
<table class="list" aria-labelledby="activity">
<thead><tr><th scope="col">${say('When')}</th><th scope="col">${say('What')}</th>${hasDevices ? html`<th scope="col">${say('Device')}</th>` : null}</tr></thead>
<tbody>
${rows}</tbody>
</table>
`;
}
