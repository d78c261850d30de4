/** What several pages of an import have: how the file was read, and the button that ends it. */
import { formTag, type Html, html } from 'seeother';
import { action } from '../links.ts';
import { type OpenedBy, openButton } from '../site/button-form.ts';
import { formatCount, formatNumber } from '../site/format.ts';
import { FIELD_KINDS } from './import-forms.ts';
import type { PlannedDefinitions } from './store-plan.ts';

/** Sentences without a full stop. */
export function noticeList(notices: readonly string[]): Html | null {
  if (notices.length === 0) return null;
  return html`<div class="notice">
${notices.map((notice) => html`<p>${notice}.</p>\n`)}</div>`;
}

export function stopForm(id: number, label: string, viewer: OpenedBy): Html {
  const path = action('/items/imports/:id<int>/stop', { id });
  return formTag(openButton(viewer), html`<button class="quiet">${label}</button>`, {
    action: path,
  });
}

export function section(id: string, heading: string, all: number, content: Html): Html {
  return html`<section aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${heading} <span class="count">${formatNumber(all)}</span></h2>
${content}
</section>`;
}

/** Ends a list in a sentence that has not all of it. */
export function andRest(rest: number): string {
  return rest === 0 ? '' : ` and ${formatNumber(rest)} more`;
}

/** Below a list that has not all of it. */
export function andMore(rest: number): Html | null {
  return rest === 0 ? null : html`<p>And ${formatNumber(rest)} more.</p>`;
}

/** As in “1 new field: Purchase price (money, EUR)”, and the same of the kinds. */
export function nameDefinitions(
  { fields, kinds }: PlannedDefinitions,
  isNew: boolean,
): readonly string[] {
  const what = isNew ? 'new ' : '';
  const labels = fields.map(({ label, kind, unit }) => {
    return `${label} (${FIELD_KINDS[kind]}${unit === '' ? '' : `, ${unit}`})`;
  });
  const names = kinds.map(({ name }) => name);
  const list = (all: readonly string[], one: string) =>
    all.length === 0
      ? []
      : [`${formatCount(all.length, `${what}${one}`, `${what}${one}s`)}: ${all.join(', ')}`];
  return [...list(labels, 'field'), ...list(names, 'kind')];
}
