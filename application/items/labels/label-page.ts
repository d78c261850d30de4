/**
 * The labels as a page that prints exactly: on paper it is the sheets alone, in millimetres. And the form that leads to
 * it.
 */
import {
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
} from 'seeother';
import { chosenHref, labelCssHref, labelPdfHref, labelsAction, labelsHref } from '../../links.ts';
import { formatCount } from '../../site/format.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import type { Item } from '../item-rows.ts';
import type { ChosenItems } from '../ticked-numbers.ts';
import { hasLetters } from './label-font.ts';
import { type LabelFields, TOO_MANY } from './label-form.ts';
import { layOut, shareLines } from './label-layout.ts';
import { labelTexts } from './label-texts.ts';
import { drawQrCode } from './qr-code.ts';
import { type LabelChoice, writeLabelChoice } from './read-labels.ts';
import { labelsOf } from './sheets.ts';

export interface LabelFormView {
  readonly viewer: Viewer;
  readonly chosen: ChosenItems;
  /** How many things were chosen; null while too many searches run. */
  readonly count: number | null;
  /** What stands in the codes, before the number: `https://things.example/i/`. */
  readonly prefix: string;
  readonly form: FilledForm<LabelFields>;
  readonly errors: readonly FormError<LabelFields>[];
}

export function labelFormPage({ viewer, chosen, count, prefix, form }: LabelFormView): Html {
  const back = chosenHref(chosen);
  return layout({
    title: formTitle('Print labels – Items', form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${back}">← Items</a></p>
<h1>Print labels${count === null ? null : html` <span class="count">${formatCount(count, 'item', 'items')}</span>`}</h1>
${
  count === 0
    ? html`<p class="empty">There is nothing here to print labels for.</p>`
    : html`<p>Each label has a code that leads to the page of its thing: <strong>${prefix}17</strong>.</p>
${isLocal(prefix) ? html`<div class="notice"><p><strong>No other device can open this address.</strong> Open this site with the address that your team uses, or set PUBLIC_ORIGIN, before you print.</p></div>\n` : null}${formTag(
  form,
  html`${formField(form, 'sheet')}
${formField(form, 'start')}
${formField(form, 'copies')}
${formField(form, 'texts')}
${formField(form, 'edges')}
<div class="actions"><button>Show labels</button> <a href="${back}">Cancel</a></div>
`,
  { action: labelsAction(chosen), class: 'form' },
)}`
}`,
  });
}

/** Whether only this computer can open the address. */
function isLocal(address: string): boolean {
  const { hostname } = new URL(address);
  return /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}

export interface LabelsView {
  readonly viewer: Viewer;
  readonly chosen: ChosenItems;
  readonly choice: LabelChoice;
  /** One for each label. */
  readonly items: readonly Item[];
  readonly isTooMany: boolean;
  readonly prefix: string;
}

export function labelsPage({ viewer, chosen, choice, items, isTooMany, prefix }: LabelsView): Html {
  const back = labelsHref(chosen);
  const { sheet, start } = choice;
  const perPage = labelsOf(sheet);
  const cells: (Item | null)[] = [...Array<null>((start - 1) % perPage).fill(null), ...items];
  const pages = Array.from({ length: Math.ceil(cells.length / perPage) }, (_, page) =>
    cells.slice(page * perPage, (page + 1) * perPage),
  );
  const draw = createDrawing(choice, prefix);
  const lacking = items.find(
    (item) => !hasLetters([item.name, ...labelTexts(item, choice.texts)].join(' ')),
  );
  return layout({
    title: 'Labels – Items',
    viewer,
    section: 'items',
    main: html`<link rel="stylesheet" href="${labelCssHref(choice.sheetText)}">
<p class="back"><a href="${back}">← Print labels</a></p>
<h1>Labels</h1>
${
  isTooMany
    ? html`<p><strong>${TOO_MANY}.</strong></p>`
    : items.length === 0
      ? html`<p class="empty">There is nothing here to print labels for.</p>`
      : html`<p class="notice">Print this page with your browser, at 100 % and without margins, or <a href="${labelPdfHref(chosen, writeLabelChoice(choice))}">open it as a PDF</a> and print that at its actual size. ${formatCount(items.length, 'label', 'labels')} on ${formatCount(pages.length, 'page', 'pages')}.${lacking === undefined ? null : html` The PDF lacks letters of <strong>${lacking.name}</strong>: print this page instead.`}</p>
<div class="sheets${choice.edges ? ' edges' : null}" role="region" aria-label="Sheets" tabindex="0">
${pages.map((page) => html`<ul class="sheet">\n${page.map((item) => (item === null ? html`<li></li>\n` : draw(item)))}</ul>\n`)}</div>`
}`,
  });
}

/** The labels of one thing are the same. */
function createDrawing({ sheet, texts }: LabelChoice, prefix: string) {
  const space = layOut(sheet);
  const known = new Map<Item, Html>();
  return (item: Item): Html => {
    const drawn = known.get(item) ?? drawLabel(item);
    known.set(item, drawn);
    return drawn;
  };
  function drawLabel(item: Item): Html {
    const all = labelTexts(item, texts);
    const { nameLines, others } = shareLines(space, all.length);
    return html`<li class="label name-${nameLines}">${drawQrCode(`${prefix}${item.number}`)}<div><b>${item.name}</b>${all.slice(0, others).map((text) => html`<span>${text}</span>`)}</div></li>\n`;
  }
}
