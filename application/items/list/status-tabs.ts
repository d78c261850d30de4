/**
 * The tabs above the list: all items, or those that are lent, low or overdue. They keep search, filters and order. All
 * have a count where nothing else narrows the list down; elsewhere the present one alone, because to count the others
 * would take a search each.
 */
import { type Html, html, trustedHtml } from 'seeother';
import { listHref } from '../../links.ts';
import { formatNumber } from '../../site/format.ts';
import type { ItemQuery } from '../item-query.ts';
import { MAX_COUNTED, STATUS_NAMES, STATUSES, type StatusCounts } from '../item-status.ts';

/** `many` says how many items the present list has. */
export function statusTabs(query: ItemQuery, many: string, counts: StatusCounts | null): Html {
  const tabs = ['' as const, ...STATUSES].map((show) => {
    const isShown = show === query.show;
    const count = show === '' ? undefined : counts?.[show];
    const text = isShown ? many : count === undefined ? '' : formatCounted(count);
    const name = show === '' ? 'All' : STATUS_NAMES[show];
    const urgent = show === 'overdue' && count ? ' urgent' : null;
    return html`<li><a href="${listHref({ ...query, show })}"${isShown ? CURRENT : null}>${name}${text === '' ? null : html` <span class="count${urgent}">${text}</span>`}</a></li>\n`;
  });
  return html`<nav class="tabs" aria-label="Status"><ul>
${tabs}</ul></nav>`;
}

const CURRENT = trustedHtml(' aria-current="true"');

function formatCounted(count: number): string {
  return count < MAX_COUNTED ? formatNumber(count) : `${formatNumber(MAX_COUNTED - 1)}+`;
}
