/**
 * The HTML of a form, with the patterns of the GOV.UK Design System: several controls stand in a `<fieldset>` with a
 * legend. The error is linked to its control and repeated in a summary above the form, which takes
 * the focus without script.
 *
 * Controls show the submitted text again, except those of passwords, which have no value. No page can fill the control
 * of a file: the field shows the parked file beside it, or says to choose the file again. Text that
 * is too long for the page is cut, and the field says so.
 */

import { type Attributes, writeAttributes } from '../field/attributes.ts';
import { buttonsOf, isButton } from '../field/button-field.ts';
import { drawButton } from '../field/draw-choices.ts';
import { type AnyField, type FieldText, isFile, isTyped } from '../field/field.ts';
import { parseFileText } from '../field/file-text.ts';
import type { Advice } from '../http/advice.ts';
import { type Html, html } from '../http/html.ts';
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import { type BoundPart, bindForm, findPart } from './bound-part.ts';
import { CHANGE, type RowChange, toChange } from './change-form.ts';
import { cutText, lengthToFit, MAX_ECHO_LENGTH } from './cut-text.ts';
import type {
  AnyFilledForm,
  FilledForm,
  FilledRows,
  FormError,
  SomeFilledForm,
  SomeForm,
} from './define-form.ts';
import {
  type ChoiceGroup,
  type ChoiceList,
  type FieldGroup,
  type FieldPath,
  type Fields,
  pastedColumns,
  type Rows,
} from './field-set.ts';
import { drawWithin, keepTexts, spaceOf } from './page-space.ts';
import { pageStateField } from './page-state.ts';
import { isPasteName } from './paste-fields.ts';
import { pasteOf } from './pasted-parts.ts';
import { fieldsShown } from './run-time-fields.ts';
import { SAVED, type Saving, type SavingChange } from './saving.ts';
import { ROW_MARK } from './sent-fields.ts';

/** The list of errors, with a link to each field; null without errors. */
export function errorSummary({
  errors = [],
  focus,
  language: { words } = english,
}: AnyFilledForm): Html | null {
  if (errors.length === 0) return null;
  const say = ({ row, message }: FormError<Fields>) =>
    row === undefined ? message : words.inRow(row, message);
  // A form that was just filled has its focus at what was filled.
  return html`<div class="error-summary" role="alert" tabindex="-1"${focus === undefined ? html` autofocus` : null}>
<h2>${words.problem}</h2>
<ul>
${errors.map((error) => html`<li>${error.field === null ? say(error) : html`<a href="#${error.field}">${say(error)}</a>`}</li>\n`)}</ul>
</div>`;
}

/** The title of a page with a form, with "Error: " before it when there are errors. */
export function formTitle(
  title: string,
  { errors = [], language: { words } = english }: AnyFilledForm = {},
): string {
  return errors.length === 0 ? title : words.errorTitle(title);
}

/**
 * The hidden field with the idempotency key; see `onlyOnce`. Also what tells whether the text was typed beside this
 * key, and beside the hidden fields of the form.
 */
export function onceField<F extends Fields>(
  form: Pick<FilledForm<F>, 'once'> & Partial<FilledForm<F>>,
): Html | null {
  const { definition } = form;
  const shown = definition === undefined ? null : fieldsShown(definition as SomeForm);
  return form.once === null ? null : html`${keyField(form)}${pageStateField(form)}${shown}`;
}

/** Null without a key. */
export function keyField({ once }: Pick<SomeFilledForm, 'once'>): Html | null {
  return once === null ? null : html`<input type="hidden" name="_once" value="${once}">`;
}

/**
 * The `<form>` with its method, encoding, action and key, around what a layout of your own draws: the fields and the
 * buttons. `?send`, with the query of the page, sends it to the address of its page; it differs from the queries of all
 * pages, because a browser deletes the page at the address of a POST from its cache (RFC 9111 section 4.4).
 */
export function formTag<F extends Fields>(
  form: FilledForm<F>,
  content: Html,
  {
    action = form.action ?? '?send',
    class: name,
    id,
  }: { readonly action?: string; readonly class?: string; readonly id?: string } = {},
): Html {
  const hasFile = form.definition.receive !== null;
  const { script = null, saving = null, language: { words } = english } = form;
  const attributes = {
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { class: name }),
    method: 'post',
    action,
    ...(hasFile ? { enctype: 'multipart/form-data' } : {}),
    novalidate: true,
    ...(script === null ? {} : { 'data-typing': words.found('#') }),
    ...(script !== null && hasFile
      ? { 'data-uploading': words.uploading, 'data-cancel': words.cancelUpload }
      : {}),
    ...(saving !== null && saving.at === null ? { 'data-warns': true } : {}),
  };
  return html`<form${writeAttributes(attributes)}>
${script}${onceField(form)}${defaultButton(form)}
${saving === null ? null : openedNote(saving, form)}${content}${saving === null ? null : saveButton(saving, form)}</form>`;
}

/** Says that the page shows what was saved, with the button that begins a new form. */
function openedNote(
  { at, isOpened }: Saving,
  { language = english }: Pick<SomeFilledForm, 'language'>,
): Html | null {
  if (!isOpened || at === null) return null;
  const { words } = language;
  return html`<div class="notice" role="status">
<p>${words.savedOpened(formatAgo(at, language))}</p>
${changeSaved('anew', words.startAnew)}
</div>
`;
}

/** Saves without a script; the script says here when it has saved. */
function saveButton(
  { at, note }: Saving,
  { definition, language = english }: Pick<SomeFilledForm, 'definition' | 'language'>,
): Html | null {
  if (at === null) return null;
  const { words } = language;
  const time = html`${words.saved} <time datetime="${at}">${at === '' ? '' : formatAgo(at, language)}</time>.`;
  const files = definition.receive === null ? null : html` ${words.filesNotSaved}`;
  return html`<div class="saving">
<input type="hidden" name="${SAVED}" value="${at}">
${changeSaved('save', words.saveForLater)}
<p class="hint">${at === '' ? null : time}${note === null ? null : html` ${note}`}${files}</p>
</div>
`;
}

function changeSaved(change: SavingChange, label: string): Html {
  return html`<button${writeAttributes({ class: 'quiet', name: CHANGE, value: change })}>${label}</button>`;
}

/** As "2 minutes ago": the time zone of the user is not known. */
export function formatAgo(
  at: string,
  { code }: Pick<Language, 'code'>,
  now: number = Date.now(),
): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(at)) / 60_000));
  const format = new Intl.RelativeTimeFormat(code, { numeric: 'auto' });
  if (minutes < 60)
    return minutes === 0 ? format.format(0, 'second') : format.format(-minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? format.format(-hours, 'hour') : format.format(-Math.floor(hours / 24), 'day');
}

/**
 * Enter in a text field presses the first button of a form, which would be one that adds or removes a row. So a button
 * that nobody sees comes first, and does what the first button of the form does.
 */
function defaultButton<F extends Fields>({
  definition,
  language = english,
  saving = null,
}: FilledForm<F>): Html | null {
  const { fields, names } = definition;
  if (!definition.hasChangeButtons && saving === null) return null;
  const name = names.find((one) => isButton(fields[one]));
  const [first] = buttonsOf(fields);
  const sent = name === undefined || first === undefined ? {} : { name, value: first.value };
  return html`<button${writeAttributes({ class: 'visually-hidden', tabindex: '-1', 'aria-hidden': 'true', ...sent })}>${language.words.send}</button>`;
}

/**
 * One part of the form: a field with its label, hint, error and control; a group, or all rows with the buttons that add
 * and remove them; for a `buttonField`, its buttons. `name` is its path, such as `participants.0.name`. The name of a
 * field that is not in the form does not compile. The label of one field of a row has the name of the row, for screen
 * readers.
 */
export function formField<F extends Fields, Name extends string>(
  form: FilledForm<F>,
  name: FieldPath<F> | FieldName<F, Name> | BoundPart,
): Html {
  const drawing = toDrawing(form);
  if (typeof name === 'object') return drawPart(drawing, name, true);
  const found = findPart(bindForm(drawing.form), name as string);
  if (found === null) throw unknownField(drawing.form, name as string);
  return drawPart(drawing, found, true);
}

type FieldName<F extends Fields, Name extends string> =
  Name extends FieldPath<F>
    ? Name
    : Advice<`The form has no field ${Name}: use a name from its definition`>;

function unknownField({ definition }: SomeFilledForm, name: string): TypeError {
  return new TypeError(
    `Cannot render the field ${JSON.stringify(name)}: the form has ${definition.names.join(', ')}. Use one of these names, or add the field to defineForm.`,
  );
}

/** What all parts of a page are drawn with. */
interface Drawing {
  readonly form: SomeFilledForm;
  readonly language: Language;
}

function toDrawing(form: SomeFilledForm): Drawing {
  return { form, language: form.language ?? english };
}

/** `isAlone` is whether nothing around it says in which row it stands. */
function drawPart(drawing: Drawing, one: BoundPart, isAlone = false): Html {
  switch (one.part.part) {
    case 'field':
      return drawField(drawing, one, one.part, isAlone);
    case 'group':
      return drawGroup(drawing, one, one.part);
    case 'rows':
      return drawRows(drawing, one, one.part);
    case 'row':
      return drawRow(drawing, one);
    case 'choices':
      return drawChoiceGroup(drawing, one, one.part);
    case 'set':
      return drawParts(drawing, one);
  }
}

function drawParts(drawing: Drawing, { parts }: BoundPart): Html {
  const own = parts.filter(({ key }) => !isPasteName(key));
  return html`${own.map((one) => html`${drawPart(drawing, one)}\n`)}`;
}

function drawField(drawing: Drawing, one: BoundPart, field: AnyField, isAlone: boolean): Html {
  const { path } = one;
  const whole = one.text as FieldText;
  const text = textsToShow(drawing.form, field, whole);
  const { language } = drawing;
  const { words } = language;
  if (field.isButton) return buttons(field, path, language);
  if (field.draw === null) return html`<input type="hidden" name="${path}" value="${text}">`;
  const hasFile = isFile(field);
  const notes = hasFile
    ? missingFiles(text, one.error ?? '').map(words.chooseAgain)
    : text.length < whole.length
      ? [words.onlyFirst(text.length)]
      : NO_NOTES;
  const { hint, problem, described, hasError } = describe(drawing, one, field.hint, notes);
  const focus = drawing.form.focus === path ? FOCUS : null;
  const label = html`${one.label}${isAlone ? behind(one.row, language) : null}`;
  const isMarked = !field.required && drawing.form.marksOptional !== false;
  const legend = html`${label}${isMarked ? optional(language) : null}`;
  const update = drawUpdate(path, field, language);
  if (field.frame === 'legend') {
    // The error belongs to all of the controls, so the fieldset is described by it, and not each of them.
    const attributes = { ...field.attributes, ...focus };
    const control = field.draw({ field, name: path, text, attributes, language, hasError });
    return html`<fieldset class="field ${field.control}${hasError ? ' has-error' : null}"${writeAttributes(described)}>
<legend>${legend}</legend>
${hint}${problem}${control}${update}</fieldset>`;
  }
  const attributes = {
    ...field.attributes,
    ...described,
    ...(hasError ? INVALID : null),
    ...focus,
  };
  const control = field.draw({ field, name: path, text, attributes, language, hasError });
  if (field.frame === 'after') {
    return html`<div class="field checkbox${hasError ? ' has-error' : null}">
${control}
<label for="${path}">${label}</label>
${hint}${problem}${update}</div>`;
  }
  return html`<div class="field${hasError ? ' has-error' : null}">
<label for="${path}">${legend}</label>
${hint}${problem}${control}${update}
</div>`;
}

const FOCUS = { autofocus: true } as const;
const NO_NOTES: readonly string[] = [];

/** The names of files that are to be chosen again. Of several, the error may name them already. */
function missingFiles(text: FieldText, error: string): readonly string[] {
  if (text.length === 0) return NO_NOTES;
  return [text]
    .flat()
    .filter((one) => one !== '' && parseFileText(one).key === null)
    .filter((name) => typeof text === 'string' || !error.includes(name));
}

/** The buttons that change nothing: to show what depends on the field, and to add what is missing among its choices. */
function drawUpdate(
  path: string,
  { update, addNew }: AnyField,
  { translate }: Language,
): Html | null {
  if (update === null && addNew === undefined) return null;
  const draw = (change: RowChange, label: string) =>
    html`\n${changeButton(change, path, html`${translate(label)}`)}`;
  return html`${update === null ? null : draw('update', update)}${addNew === undefined ? null : draw('leave', addNew.label)}`;
}

function optional({ words }: Language): Html {
  return html` <span class="optional">${words.optional}</span>`;
}

/** Behind a label or the text of a button, for screen readers: which row it belongs to. */
function behind(row: BoundPart | null, { words }: Language): Html | null {
  if (row === null) return null;
  const text = row.title === '' ? words.ofRow(row.label) : words.ofFile(row.title);
  return html`<span class="visually-hidden">${text}</span>`;
}

const INVALID = { 'aria-invalid': 'true' } as const;

function drawGroup(
  drawing: Drawing,
  one: BoundPart,
  { hint: text }: FieldGroup<Fields, unknown>,
): Html {
  const { hint, problem, described, hasError } = describe(drawing, one, text);
  return html`<fieldset class="group${hasError ? ' has-error' : null}"${writeAttributes({ id: one.path, tabindex: '-1', ...described })}>
<legend>${one.label}</legend>
${hint}${problem}${drawParts(drawing, one)}</fieldset>`;
}

function drawRows(drawing: Drawing, one: BoundPart, part: Rows<Fields, unknown>): Html {
  const { path, label, parts } = one;
  const { hint, problem, described, hasError } = describe(drawing, one, part.hint);
  const { drawn, left } = drawWithin(drawing.form, one, (row) => html`${drawRow(drawing, row)}\n`);
  const kept = keepRows(drawing, label, left);
  const filled = drawing.form.filled?.path === path ? drawing.form.filled : null;
  const focus = filled === null && drawing.form.focus === path ? { autofocus: true } : {};
  const { words, translate } = drawing.language;
  const add = part.fixed
    ? null
    : parts.length < part.max
      ? changeButton(
          'add',
          path,
          html`${words.addAnother}<span class="visually-hidden">${words.ofRow(translate(part.name))}</span>`,
          focus,
        )
      : html`<p class="hint">${words.rowsFull(label, part.max)}</p>`;
  return html`<fieldset class="rows${hasError ? ' has-error' : null}"${writeAttributes({ id: path, tabindex: '-1', ...described })}>
<legend>${label}</legend>
${hint}${problem}${drawFilled(filled)}${drawn}${kept}${add}
${drawPaste(drawing, one, part)}</fieldset>`;
}

/** What was just read from a spreadsheet. It takes the focus. */
function drawFilled(filled: FilledRows | null): Html | null {
  if (filled === null) return null;
  const said = filled.said.map((one) => html`<p>${one}.</p>\n`);
  return html`<div class="notice" role="status" tabindex="-1" autofocus>\n${said}</div>\n`;
}

/** The fields that the rows are filled from, folded unless something is in them. */
function drawPaste(drawing: Drawing, one: BoundPart, part: Rows<Fields, unknown>): Html | null {
  const cells = pasteOf(one, 'cells');
  if (part.paste === null || cells === null) return null;
  const file = pasteOf(one, 'file');
  const isUsed = [cells, file].some(
    (field) => field !== null && (field.text !== '' || field.error !== null),
  );
  if (one.parts.length >= part.max && !isUsed) return null;
  const { words, translate } = drawing.language;
  const columns = pastedColumns(part.row).map(({ field }) => translate(field.label));
  const hint = words.tables.cellsHint(columns);
  return html`<details class="paste"${isUsed ? html` open` : null}>
<summary>${words.tables.paste}</summary>
${drawField(drawing, cells, { ...(cells.part as AnyField), hint }, false)}
${file === null ? null : html`${drawPart(drawing, file)}\n`}${changeButton('fill', one.path, html`${words.tables.fill}<span class="visually-hidden">${words.ofFile(one.label)}</span>`)}
</details>
`;
}

/** The rows that a page of a sent form has no space for: they are sent again as they are. */
function keepRows(
  { form, language: { words } }: Drawing,
  label: string,
  left: readonly BoundPart[],
): Html | null {
  if (left.length === 0) return null;
  const space = spaceOf(form);
  const kept: Html[] = [];
  for (const row of left) {
    const markup = keepTexts(row);
    space.kept -= markup.markup.length;
    if (space.kept < 0) break;
    kept.push(markup);
  }
  const lost = left.length - kept.length;
  return html`<p class="hint">${words.rowsKept(label, left.length, lost)}</p>${kept}\n`;
}

function drawRow(drawing: Drawing, one: BoundPart): Html {
  const { path, key, label } = one;
  const { ordered, fixed } = one.rows;
  const { problem, described, hasError } = describe(drawing, one, null);
  const { words } = drawing.language;
  const name = behind(one, drawing.language);
  const up = ordered && key !== 0 ? changeButton('up', path, html`${words.moveUp}${name}`) : null;
  const remove = changeButton('remove', path, html`${words.remove}${name}`);
  return html`<fieldset class="row${hasError ? ' has-error' : null}"${writeAttributes({ id: path, tabindex: '-1', ...described })}>
<legend>${label}</legend>
<input type="hidden" name="${path}" value="${ROW_MARK}">
${problem}${drawParts(drawing, one)}${fixed ? null : html`<div class="row-actions">${up}${remove}</div>\n`}</fieldset>`;
}

/** A button that changes nothing but the form. */
function changeButton(change: RowChange, path: string, label: Html, added: Attributes = {}): Html {
  const attributes = { class: 'quiet', name: CHANGE, value: toChange(change, path), ...added };
  return html`<button${writeAttributes(attributes)}>${label}</button>`;
}

function drawChoiceGroup(
  drawing: Drawing,
  one: BoundPart,
  { choice }: ChoiceGroup<ChoiceList, unknown>,
): Html {
  const { path } = one;
  const { hint, problem, described, hasError } = describe(drawing, one, choice.hint);
  const drawn = choice.choices.map((each, at) => {
    const within = one.at(each.value) as BoundPart;
    const revealed = within.parts.length === 0 ? null : drawParts(drawing, within);
    const focus = drawing.form.focus === path && at === 0 ? { autofocus: true } : {};
    const attributes = { type: 'radio', checked: each.value === one.choice.text, ...focus };
    return drawButton(path, each, at, attributes, drawing.language, revealed);
  });
  return html`<fieldset class="field radio reveals${hasError ? ' has-error' : null}"${writeAttributes(described)}>
<legend>${one.label}${choice.required ? null : optional(drawing.language)}</legend>
${hint}${problem}${drawn}</fieldset>`;
}

interface Described {
  readonly hint: Html | null;
  readonly problem: Html | null;
  /** First the hint, then the error, as on the page. */
  readonly described: Attributes;
  readonly hasError: boolean;
}

function describe(
  { language: { words, translate } }: Drawing,
  { path, error: own }: BoundPart,
  text: string | null,
  notes: readonly string[] = NO_NOTES,
): Described {
  const error = joinSentences(own, notes);
  if (text === null && error === null) return NOTHING_SAID;
  const hint =
    text === null ? null : html`<p class="hint" id="${path}-hint">${translate(text)}</p>\n`;
  const problem =
    error === null
      ? null
      : html`<p class="field-error" id="${path}-error"><span class="visually-hidden">${words.error}</span> ${error}</p>\n`;
  const ids =
    problem === null
      ? `${path}-hint`
      : hint === null
        ? `${path}-error`
        : `${path}-hint ${path}-error`;
  return { hint, problem, described: { 'aria-describedby': ids }, hasError: problem !== null };
}

const NOTHING_SAID: Described = { hint: null, problem: null, described: {}, hasError: false };

/** Characters. The markup around a control is longer than that, so to cut its text would save little. */
const NEVER_CUT = 100;

function textsToShow(form: SomeFilledForm, field: AnyField, text: FieldText): FieldText {
  return typeof text === 'string'
    ? textToShow(form, field, text)
    : text.map((one) => textToShow(form, field, one));
}

/** Never cuts a text that the field accepts; cut-text.ts limits longer ones. */
function textToShow(form: SomeFilledForm, field: AnyField, text: string): string {
  // A hidden value cut in half would be wrong, so it is dropped as a whole.
  if (!isTyped(field)) return text.length > MAX_ECHO_LENGTH ? '' : text;
  if (isFile(field)) return text;
  // A character is one or two code units.
  const longest = Math.max(NEVER_CUT, 2 * (field.limits.maxLength ?? 0));
  return text.length <= longest ? text : cutText(text, Math.max(longest, shareOf(form)));
}

const shares = new WeakMap<SomeFilledForm, number>();

/** The length that its longest texts are cut to. It is found once for all fields, as `messagesOf`. */
function shareOf(form: SomeFilledForm): number {
  const known = shares.get(form);
  if (known !== undefined) return known;
  const typed = bindForm(form)
    .all()
    .flatMap(({ part, text }) =>
      part.part === 'field' && isTyped(part) ? [text as FieldText].flat() : [],
    );
  const share = lengthToFit(typed);
  shares.set(form, share);
  return share;
}

/** Null without one. */
function joinSentences(first: string | null, others: readonly string[]): string | null {
  if (others.length === 0) return first;
  return [...new Set(first === null ? others : [first, ...others])].join('. ');
}

/** The first one, which Enter presses, is the main one; the others have the class `quiet`. */
function buttons({ choices }: AnyField, name: string, { translate }: Language): Html {
  const drawn = choices.map(({ value, label }, at) => {
    const styled = at === 0 ? {} : { class: 'quiet' };
    return html`${at === 0 ? null : '\n'}<button${writeAttributes({ name, value, ...styled })}>${translate(label)}</button>`;
  });
  return html`${drawn}`;
}
