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
import {
  chosenHref,
  labelCssHref,
  labelPdfHref,
  labelsAction,
  labelsHref,
  placesHref,
} from '../../links.ts';
import { formatCount } from '../../site/format.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { hasLetters } from './label-font.ts';
import { type LabelFields, TOO_MANY } from './label-form.ts';
import { layOut, shareLines } from './label-layout.ts';
import type { Label } from './label-texts.ts';
import { drawQrCode } from './qr-code.ts';
import { type ChosenLabels, type LabelChoice, writeLabelChoice } from './read-labels.ts';
import { labelsOf } from './sheets.ts';

export interface LabelFormView {
  readonly viewer: Viewer;
  readonly chosen: ChosenLabels;
  /** How many things were chosen; null while too many searches run. */
  readonly count: number | null;
  /** What stands in a code: `https://things.example/i/17`. */
  readonly sample: string;
  readonly form: FilledForm<LabelFields>;
  readonly errors: readonly FormError<LabelFields>[];
}

export function labelFormPage({ viewer, chosen, count, sample, form }: LabelFormView): Html {
  const back = backOf(chosen);
  const isOfPlaces = chosen.places !== '';
  return layout({
    title: formTitle('Print labels – Items', form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${back}">← ${isOfPlaces ? 'Places' : 'Items'}</a></p>
<h1>Print labels${count === null ? null : html` <span class="count">${isOfPlaces ? formatCount(count, 'place', 'places') : formatCount(count, 'item', 'items')}</span>`}</h1>
${
  count === 0
    ? html`<p class="empty">There is nothing here to print labels for.</p>`
    : html`<p>Each label has a code that leads to the page of its ${isOfPlaces ? 'place' : 'thing'}: <strong>${sample}</strong>.</p>
${isLocal(sample) ? html`<div class="notice"><p><strong>No other device can open this address.</strong> Open this site with the address that your team uses, or set PUBLIC_ORIGIN, before you print.</p></div>\n` : null}${formTag(
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

function backOf(chosen: ChosenLabels) {
  return chosen.places === '' ? chosenHref(chosen) : placesHref();
}

/** Whether only this computer can open the address. */
function isLocal(address: string): boolean {
  const { hostname } = new URL(address);
  return /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}

export interface LabelsView {
  readonly viewer: Viewer;
  readonly chosen: ChosenLabels;
  readonly choice: LabelChoice;
  readonly labels: readonly Label[];
  readonly isTooMany: boolean;
  /** Of the site, before the short addresses. */
  readonly origin: string;
}

export function labelsPage({
  viewer,
  chosen,
  choice,
  labels,
  isTooMany,
  origin,
}: LabelsView): Html {
  const back = labelsHref(chosen);
  const { sheet, start } = choice;
  const perPage = labelsOf(sheet);
  const cells = [...Array<null>((start - 1) % perPage).fill(null), ...labels];
  const pages = Array.from({ length: Math.ceil(cells.length / perPage) }, (_, page) =>
    cells.slice(page * perPage, (page + 1) * perPage),
  );
  const draw = createDrawing(choice, origin);
  const lacking = new Set(
    labels.filter(({ name, texts }) => !hasLetters([name, ...texts].join(' '))),
  );
  return layout({
    title: 'Labels – Items',
    viewer,
    section: 'items',
    main: html`<link rel="stylesheet" href="${labelCssHref(choice.sheetText, choice.texts.includes('picture'))}">
<p class="back"><a href="${back}">← Print labels</a></p>
<h1>Labels</h1>
${
  isTooMany
    ? html`<p><strong>${TOO_MANY}.</strong></p>`
    : labels.length === 0
      ? html`<p class="empty">There is nothing here to print labels for.</p>`
      : html`${lackingNotice([...lacking])}<p class="notice">Print this page with your browser, at 100 % and without margins, or <a href="${labelPdfHref(chosen, writeLabelChoice(choice))}">open it as a PDF</a> and print that at its actual size. ${formatCount(labels.length, 'label', 'labels')} on ${formatCount(pages.length, 'page', 'pages')}.</p>
<div class="sheets${choice.edges ? ' edges' : null}" role="region" aria-label="Sheets" tabindex="0">
${pages.map((page) => html`<ul class="sheet">\n${page.map((label) => (label === null ? html`<li></li>\n` : draw(label)))}</ul>\n`)}</div>`
}`,
  });
}

/** Before the link to the PDF. */
function lackingNotice([first, ...others]: readonly Label[]): Html | null {
  if (first === undefined) return null;
  const more =
    others.length === 0 ? '' : ` and of ${formatCount(others.length, 'other', 'others')}`;
  return html`<div class="notice"><p><strong>Print this page, and not the PDF.</strong> The PDF lacks letters of “<bdi>${first.name}</bdi>”${more}.</p></div>\n`;
}

/** The labels of one thing are the same. */
function createDrawing({ sheet, texts: chosen }: LabelChoice, origin: string) {
  const space = layOut(sheet, chosen.includes('picture'));
  const known = new Map<Label, Html>();
  return (label: Label): Html => {
    const drawn = known.get(label) ?? drawLabel(label);
    known.set(label, drawn);
    return drawn;
  };
  function drawLabel({ path, name, texts, picture }: Label): Html {
    const { nameLines, others } = shareLines(space, texts.length);
    return html`<li class="label name-${nameLines}">${drawQrCode(`${origin}${path}`)}${picture === null || space.picture === null ? null : html`<img src="${picture.src}" alt="">`}<div><b>${name}</b>${texts.slice(0, others).map((text) => html`<span>${text}</span>`)}</div></li>\n`;
  }
}
