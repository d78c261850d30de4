/**
 * The page to scan: a field that a hand scanner types into, and below it what else one can do. What the last scan did
 * is its message, large, with Undo. The script adds the camera where the browser reads codes itself.
 */
import {
  blankForm,
  defineForm,
  errorSummary,
  type FilledForm,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
  trustedHtml,
} from 'seeother';
import { choiceField, textField, wholeNumberField } from 'seeother/fields';
import { href, itemHref, newScannedHref, scanAction } from '../../links.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import { SCAN_SCRIPT_TAG } from '../../site/scan-script.ts';
import { type Suggestions, suggestionList, suggestionLists } from '../facets/suggestions.ts';
import { MAX_LOCATION_LENGTH, MAX_QUANTITY } from '../item-limits.ts';
import { borrowerField } from '../lend/lend-form.ts';
import { type Found, fieldOfCode, readItemNumber } from './find-by-code.ts';
import { lacksTarget, type Scanning } from './scan-modes.ts';

export const scanForm = defineForm({
  code: textField({
    label: 'Code',
    hint: 'Scan a label, a barcode or a serial number, or type one or the number of a thing.',
    required: 'Scan or type a code',
    maxLength: 400,
    attributes: {
      ...{ autofocus: '', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' },
      enterkeyhint: 'go',
    },
  }),
  counted: wholeNumberField({
    label: 'How many there are',
    hint: 'Leave it empty to add one with each scan.',
    min: 0,
    max: MAX_QUANTITY,
    default: null,
    attributes: { autocomplete: 'off' },
  }),
});
export type ScanFields = typeof scanForm.fields;

/** Sent with GET: it only chooses the address of the page. */
const modeForm = defineForm({
  mode: choiceField({
    label: 'What a scan does',
    as: 'radio',
    required: 'Choose what a scan does',
    choices: [
      { value: 'open', label: 'Open the page of the thing' },
      { value: 'count', label: 'Count it' },
      { value: 'move', label: 'Move it to a place' },
      { value: 'lend', label: 'Lend it to a person' },
      { value: 'return', label: 'Return it' },
    ],
  }),
  place: textField({
    label: 'Place to move to',
    attributes: { list: 'locations' },
    maxLength: MAX_LOCATION_LENGTH,
  }),
  to: textField({ ...borrowerField, label: 'Person to lend to' }),
});

export interface ScanView {
  readonly viewer: Viewer;
  readonly scanning: Scanning;
  readonly form: FilledForm<ScanFields>;
  /** The code that did nothing, and what it can mean: nothing, or several things. Null without one. */
  readonly sought: { readonly code: string; readonly found: readonly Found[] } | null;
  readonly suggestions: Suggestions;
  /** Of borrowers, to suggest. */
  readonly names: readonly string[];
}

export function scanPage(view: ScanView): Html {
  const { viewer, scanning, form, sought } = view;
  const isLacking = lacksTarget(scanning);
  return layout({
    title: formTitle('Scan – Items', form),
    viewer,
    section: 'items',
    focusesField: !isLacking || scanning.mode === 'move',
    main: html`${errorSummary(form)}
<div class="scan">
<h1>${titleOf(scanning)}</h1>
${sought === null ? null : soughtBox(view, sought)}
${
  isLacking && scanning.mode !== 'move'
    ? null
    : formTag(
        form,
        html`${formField(form, 'code')}
${scanning.mode === 'count' ? html`${formField(form, 'counted')}\n` : null}<div class="actions"><button>${BUTTONS[scanning.mode]}</button></div>
<div class="camera" hidden><button type="button" class="quiet">Use the camera</button><video muted playsinline hidden></video></div>
`,
        { action: scanAction(scanning), class: 'form' },
      )
}
${modes(view, isLacking)}
</div>
${suggestionLists(view.suggestions)}
${suggestionList('people', view.names)}
${SCAN_SCRIPT_TAG}`,
  });
}

const BUTTONS = {
  open: 'Open',
  count: 'Count',
  move: 'Move',
  lend: 'Lend',
  return: 'Return',
} as const;

function titleOf({ mode, place, to }: Scanning): Html {
  if (mode === 'move' && place !== '') return html`Move to <bdi>${place}</bdi>`;
  if (mode === 'lend' && to !== '') return html`Lend to <bdi>${to}</bdi>`;
  return {
    open: html`Scan`,
    count: html`Scan to count`,
    move: html`Scan to move`,
    lend: html`Scan to lend`,
    return: html`Scan to return`,
  }[mode];
}

const OPEN = trustedHtml(' open');

function modes({ scanning }: ScanView, isOpen: boolean): Html {
  const { mode, place, to } = scanning;
  const form = blankForm(modeForm, { mode, place, to });
  return html`<details${isOpen ? OPEN : null}>
<summary>What a scan does</summary>
<form class="form" action="${href('/scan')}">
${isOpen ? html`<p><strong>${mode === 'move' ? 'Scan the code of a place above, or enter one to move things to.' : 'Enter the person to lend to.'}</strong></p>\n` : null}${formField(form, 'mode')}
${formField(form, 'place')}
${formField(form, 'to')}
<div class="actions"><button class="quiet">Scan like this</button></div>
</form>
</details>`;
}

function soughtBox(
  { scanning, form }: ScanView,
  { code, found }: NonNullable<ScanView['sought']>,
): Html {
  if (found.length === 0) {
    const named = readItemNumber(code);
    return html`<div class="notice" role="status"><p><strong>Nothing here has the code <bdi>${code}</bdi>.</strong></p>
${named?.isSure ? html`<p><a href="${itemHref(named.number)}">What happened to No. ${named.number}</a></p>` : html`<p><a class="button" href="${newScannedHref({ [fieldOfCode(code)]: code }, scanning)}">Add with this code</a></p>`}</div>`;
  }
  return html`<div class="notice" role="status"><p><strong>Several things have the code <bdi>${code}</bdi>.</strong> Choose one:</p>
${formTag({ ...form, script: null }, html`${found.map(({ number, name, location }) => html`<p><button class="quiet" name="code" value="#${number}">${name}</button> No. ${number}${location === '' ? null : `, ${location}`}</p>\n`)}`, { action: scanAction(scanning) })}</div>`;
}
