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
import { type AnyField, type FieldText, isTyped } from '../field/field.ts';
import { parseFileText } from '../field/file-text.ts';
import type { Advice } from '../http/advice.ts';
import { type Html, html } from '../http/html.ts';
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import { CHANGE, type Change, toChange } from './change-form.ts';
import { cutText, lengthToFit, MAX_ECHO_LENGTH } from './cut-text.ts';
import type { FilledForm, FormError } from './define-form.ts';
import {
  type AnySet,
  type ChoiceGroup,
  type ChoiceList,
  type FieldPath,
  type Fields,
  type FormText,
  type Group,
  type Part,
  type Rows,
  setsWithin,
} from './field-set.ts';
import type { TextNode, TextTree } from './fill-text.ts';
import { drawWithin, keepRow, spaceOf } from './page-space.ts';
import { pageStateField } from './page-state.ts';
import { isEmptyRow, ROW_MARK, toEntries } from './sent-fields.ts';
import { rowName, rowTitle } from './validate-form.ts';

/** The list of errors, with a link to each field; null without errors. The language is that of the form. */
export function errorSummary<F extends Fields>(
  errors: readonly FormError<F>[],
  { words }: Language = english,
): Html | null {
  if (errors.length === 0) return null;
  const say = ({ row, message }: FormError<F>) =>
    row === undefined ? message : words.inRow(row, message);
  return html`<div class="error-summary" role="alert" tabindex="-1" autofocus>
<h2>${words.problem}</h2>
<ul>
${errors.map((error) => html`<li>${error.field === null ? say(error) : html`<a href="#${error.field}">${say(error)}</a>`}</li>\n`)}</ul>
</div>`;
}

/** The title of a page with a form, with "Error: " before it when there are errors. */
export function formTitle(
  title: string,
  errors: readonly unknown[],
  { words }: Language = english,
): string {
  return errors.length === 0 ? title : words.errorTitle(title);
}

/**
 * The hidden field with the idempotency key; see `onlyOnce`. Also what tells whether the text was typed beside this key,
 * and beside the hidden fields of the form.
 */
export function onceField<F extends Fields>(
  form: Pick<FilledForm<F>, 'once'> & Partial<FilledForm<F>>,
): Html | null {
  return form.once === null ? null : html`${keyField(form)}${pageStateField(form)}`;
}

/** Null without a key. */
export function keyField({ once }: Pick<FilledForm<Fields>, 'once'>): Html | null {
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
  }: { readonly action?: string; readonly class?: string } = {},
): Html {
  const hasFile = form.definition.receive !== null;
  const attributes = {
    ...(name === undefined ? {} : { class: name }),
    method: 'post',
    action,
    ...(hasFile ? { enctype: 'multipart/form-data' } : {}),
    novalidate: true,
  };
  return html`<form${writeAttributes(attributes)}>
${onceField(form)}${defaultButton(form)}
${content}</form>`;
}

/**
 * Enter in a text field presses the first button of a form, which would be one that adds or removes a row. So a button that
 * nobody sees comes first, and does what the first button of the form does.
 */
function defaultButton<F extends Fields>({
  definition: { fields, names },
  language = english,
}: FilledForm<F>): Html | null {
  if (!hasChangeButtons(fields)) return null;
  const name = names.find((one) => isButton(fields[one]));
  const [first] = buttonsOf(fields);
  const sent = name === undefined || first === undefined ? {} : { name, value: first.value };
  return html`<button${writeAttributes({ class: 'visually-hidden', tabindex: '-1', 'aria-hidden': 'true', ...sent })}>${language.words.send}</button>`;
}

function hasChangeButtons(fields: Fields): boolean {
  return Object.values(fields).some((part) => {
    if (part.part === 'field') return part.control === 'file';
    if (part.part === 'rows' && !part.fixed) return true;
    return setsWithin(part).some((set) => hasChangeButtons(set.fields));
  });
}

/** What a part is drawn with. */
interface Drawing {
  readonly form: FilledForm<Fields>;
  readonly errors: readonly FormError<Fields>[];
  readonly language: Language;
  /** The row of a field that is drawn alone, for its label. */
  readonly row?: Row | null;
}

/**
 * One part of the form: a field with its label, hint, error and control; a group, or all rows with the buttons that add
 * and remove them; for a `buttonField`, its buttons. `name` is its path, such as `participants.0.name`. The name of a field
 * that is not in the form does not compile. The label of one field of a row has the name of the row, for screen readers.
 */
export function formField<F extends Fields, Name extends string>(
  form: FilledForm<F>,
  name: FieldPath<F> | FieldName<F, Name>,
  errors: readonly FormError<F>[],
): Html {
  const { language = english } = form;
  const drawing = { form, errors, language } as unknown as Drawing;
  const found = findPart(drawing.form, name as string);
  if (found === null) throw unknownField(drawing.form, name as string);
  const { part, text, row } = found;
  return drawPart(
    part.part === 'field' ? { ...drawing, row } : drawing,
    part,
    name as string,
    text,
  );
}

type FieldName<F extends Fields, Name extends string> =
  Name extends FieldPath<F>
    ? Name
    : Advice<`The form has no field ${Name}: use a name from its definition`>;

function unknownField({ definition }: FilledForm<Fields>, name: string): TypeError {
  return new TypeError(
    `Cannot render the field ${JSON.stringify(name)}: the form has ${definition.names.join(', ')}. Use one of these names, or add the field to defineForm.`,
  );
}

/** A row by itself, with its legend and buttons, is found too. */
function findPart(
  form: FilledForm<Fields>,
  path: string,
): { readonly part: Part | Row; readonly text: TextNode; readonly row: Row | null } | null {
  let part: Part | Row | AnySet = form.definition;
  let text: TextNode = form.text as TextTree;
  let row: Row | null = null;
  for (const step of path.split('.')) {
    const next: TextNode | undefined = (text as TextTree)[step];
    if (next === undefined) return null;
    const inside: Part | Row | AnySet | null = stepInto(part, step, next);
    if (inside === null) return null;
    [part, text] = [inside, next];
    if ('part' in part && part.part === 'row') row = part;
  }
  return 'part' in part ? { part, text, row } : null;
}

/** One of the rows. */
interface Row {
  readonly part: 'row';
  readonly rows: Rows<Fields, unknown>;
  readonly fields: Fields;
  readonly at: number;
  /** Empty without one. */
  readonly title: string;
}

function toRow(rows: Rows<Fields, unknown>, at: number, texts: TextTree): Row {
  return { part: 'row', rows, fields: rows.fields, at, title: rowTitle(rows, texts) };
}

function stepInto(
  part: Part | Row | AnySet,
  step: string,
  next: TextNode,
): Part | Row | AnySet | null {
  if ('part' in part) {
    if (part.part === 'field') return null;
    if (part.part === 'rows') return toRow(part, Number(step), next as TextTree);
    if (part.part === 'choices')
      return Object.hasOwn(part.sets, step) ? (part.sets[step] ?? null) : null;
  }
  const { fields } = part;
  return Object.hasOwn(fields, step) ? (fields[step] ?? null) : null;
}

function drawPart(drawing: Drawing, part: Part | Row, path: string, text: TextNode): Html {
  switch (part.part) {
    case 'field':
      return drawField(drawing, part, path, text as FieldText);
    case 'group':
      return drawGroup(drawing, part, path, text as TextTree);
    case 'rows':
      return drawRows(drawing, part, path, text as readonly TextTree[]);
    case 'row':
      return drawRow(drawing, part, path, text as TextTree);
    case 'choices':
      return drawChoiceGroup(drawing, part, path, text as TextTree);
  }
}

function drawFields(
  drawing: Drawing,
  { fields, names }: AnySet,
  path: string,
  texts: TextTree,
): readonly Html[] {
  return names.map((name) => {
    const own = `${path}.${name}`;
    return html`${drawPart(drawing, fields[name] as Part, own, texts[name] as TextNode)}\n`;
  });
}

function drawField(drawing: Drawing, field: AnyField, path: string, whole: FieldText): Html {
  const show = (one: string) => textToShow(drawing.form, field, one);
  const text = typeof whole === 'string' ? show(whole) : whole.map(show);
  const { language } = drawing;
  const { words, translate } = language;
  if (field.control === 'button') return buttons(field, path, language);
  if (field.draw === null) return html`<input type="hidden" name="${path}" value="${text}">`;
  const isFile = field.control === 'file';
  const notes = describe(drawing, path, field.hint, [
    isFile && text !== '' && parseFileText(`${text}`).key === null
      ? words.chooseAgain(`${text}`)
      : undefined,
    text.length < whole.length && !isFile ? words.onlyFirst(text.length) : undefined,
  ]);
  const { hint, problem, described, hasError } = notes;
  const focus = drawing.form.focus === path ? { autofocus: true } : {};
  const { row = null } = drawing;
  const label = html`${translate(field.label)}${row === null ? null : behind(row, language)}`;
  const legend = html`${label}${field.required ? null : optional(language)}`;
  if (field.frame === 'legend') {
    // The error belongs to all of the controls, so the fieldset is described by it, and not each of them.
    const attributes = { ...field.attributes, ...focus };
    const control = field.draw({ field, name: path, text, attributes, language, hasError });
    return html`<fieldset class="field ${field.control}${hasError ? ' has-error' : null}"${writeAttributes(described)}>
<legend>${legend}</legend>
${hint}${problem}${control}</fieldset>`;
  }
  const attributes = { ...field.attributes, ...described, ...(hasError ? INVALID : {}), ...focus };
  const control = field.draw({ field, name: path, text, attributes, language, hasError });
  if (field.frame === 'after') {
    return html`<div class="field checkbox${hasError ? ' has-error' : null}">
${control}
<label for="${path}">${label}</label>
${hint}${problem}</div>`;
  }
  return html`<div class="field${hasError ? ' has-error' : null}">
<label for="${path}">${legend}</label>
${hint}${problem}${control}
</div>`;
}

function optional({ words }: Language): Html {
  return html` <span class="optional">${words.optional}</span>`;
}

/** Behind a label or the text of a button, for screen readers: which row it belongs to. */
function behind({ rows, at, title }: Row, language: Language): Html {
  const { words } = language;
  const text = title === '' ? words.ofRow(rowName(rows, at, '', language)) : words.ofFile(title);
  return html`<span class="visually-hidden">${text}</span>`;
}

const INVALID = { 'aria-invalid': 'true' } as const;

function drawGroup(
  drawing: Drawing,
  part: Group<Fields, unknown>,
  path: string,
  texts: TextTree,
): Html {
  const { hint, problem, described, hasError } = describe(drawing, path, part.hint);
  return html`<fieldset class="group${hasError ? ' has-error' : null}"${writeAttributes({ id: path, tabindex: '-1', ...described })}>
<legend>${drawing.language.translate(part.label)}</legend>
${hint}${problem}${drawFields(drawing, part, path, texts)}</fieldset>`;
}

function drawRows(
  drawing: Drawing,
  part: Rows<Fields, unknown>,
  path: string,
  texts: readonly TextTree[],
): Html {
  const { hint, problem, described, hasError } = describe(drawing, path, part.hint);
  const { drawn, left } = drawWithin(drawing, path, texts.length, (at) => {
    const text = texts[at] as TextTree;
    return html`${drawRow(drawing, toRow(part, at, text), `${path}.${at}`, text)}\n`;
  });
  const kept = keepRows(drawing, part, path, texts, left);
  const focus = drawing.form.focus === path ? { autofocus: true } : {};
  const { words, translate } = drawing.language;
  const label = translate(part.label);
  const add = part.fixed
    ? null
    : texts.length < part.max
      ? changeButton(
          'add',
          path,
          html`${words.addAnother}<span class="visually-hidden">${words.ofRow(translate(part.name))}</span>`,
          focus,
        )
      : html`<p class="hint">${words.rowsFull(label, part.max)}</p>`;
  return html`<fieldset class="rows${hasError ? ' has-error' : null}"${writeAttributes({ id: path, tabindex: '-1', ...described })}>
<legend>${label}</legend>
${hint}${problem}${drawn}${kept}${add}
</fieldset>`;
}

/** The rows that a page of a sent form has no space for: they are sent again as they are. */
function keepRows(
  drawing: Drawing,
  part: Rows<Fields, unknown>,
  path: string,
  texts: readonly TextTree[],
  left: readonly number[],
): Html | null {
  if (left.length === 0) return null;
  const { words, translate } = drawing.language;
  const space = spaceOf(drawing.form);
  const kept: Html[] = [];
  for (const at of left) {
    const own = `${path}.${at}`;
    const inside = isEmptyRow(part, texts[at])
      ? []
      : toEntries(part, texts[at] as FormText<Fields>);
    const markup = html`${keepRow(own)}${inside.map(([name, text]) => (text === '' ? null : html`<input type="hidden" name="${own}.${name}" value="${text}">`))}`;
    space.kept -= markup.markup.length;
    if (space.kept < 0) break;
    kept.push(markup);
  }
  const lost = left.length - kept.length;
  return html`<p class="hint">${words.rowsKept(translate(part.label), left.length, lost)}</p>${kept}\n`;
}

function drawRow(drawing: Drawing, row: Row, path: string, texts: TextTree): Html {
  const { rows, at, title } = row;
  const { problem, described, hasError } = describe(drawing, path, null);
  const { language } = drawing;
  const { words } = language;
  const label = behind(row, language);
  const up =
    rows.ordered && at > 0 ? changeButton('up', path, html`${words.moveUp}${label}`) : null;
  const remove = changeButton('remove', path, html`${words.remove}${label}`);
  return html`<fieldset class="row${hasError ? ' has-error' : null}"${writeAttributes({ id: path, tabindex: '-1', ...described })}>
<legend>${rowName(rows, at, title, language)}</legend>
<input type="hidden" name="${path}" value="${ROW_MARK}">
${problem}${drawFields(drawing, rows, path, texts)}${rows.fixed ? null : html`<div class="row-actions">${up}${remove}</div>\n`}</fieldset>`;
}

/** A button that changes nothing but the form. */
function changeButton(change: Change, path: string, label: Html, added: Attributes = {}): Html {
  const attributes = { class: 'quiet', name: CHANGE, value: toChange(change, path), ...added };
  return html`<button${writeAttributes(attributes)}>${label}</button>`;
}

function drawChoiceGroup(
  drawing: Drawing,
  part: ChoiceGroup<ChoiceList, unknown>,
  path: string,
  texts: TextTree,
): Html {
  const { choice, sets } = part;
  const chosen = texts['choice'] as string;
  const { hint, problem, described, hasError } = describe(drawing, path, choice.hint);
  const drawn = choice.choices.map((one, at) => {
    const set = sets[one.value] as AnySet;
    const within = texts[one.value] as TextTree;
    const revealed =
      set.names.length === 0
        ? null
        : html`${drawFields(drawing, set, `${path}.${one.value}`, within)}`;
    const focus = drawing.form.focus === path && at === 0 ? { autofocus: true } : {};
    const attributes = { type: 'radio', checked: one.value === chosen, ...focus };
    return drawButton(path, one, at, attributes, drawing.language, revealed);
  });
  return html`<fieldset class="field radio reveals${hasError ? ' has-error' : null}"${writeAttributes(described)}>
<legend>${drawing.language.translate(choice.label)}${choice.required ? null : optional(drawing.language)}</legend>
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
  { errors, language: { words, translate } }: Drawing,
  path: string,
  text: string | null,
  notes: readonly (string | undefined)[] = [],
): Described {
  const error = joinSentences([messagesOf(errors).get(path), ...notes]);
  if (text === null && error === null) return NOTHING_SAID;
  const hint =
    text === null ? null : html`<p class="hint" id="${path}-hint">${translate(text)}</p>\n`;
  const problem =
    error === null
      ? null
      : html`<p class="field-error" id="${path}-error"><span class="visually-hidden">${words.error}</span> ${error}</p>\n`;
  const ofBoth = `${path}-hint ${path}-error`;
  const ids = problem === null ? `${path}-hint` : hint === null ? `${path}-error` : ofBoth;
  return { hint, problem, described: { 'aria-describedby': ids }, hasError: problem !== null };
}

const NOTHING_SAID: Described = { hint: null, problem: null, described: {}, hasError: false };

const messages = new WeakMap<Drawing['errors'], ReadonlyMap<string | null, string>>();

/** The messages by field. They are found once for all fields of a page, so that a form with many rows takes linear time. */
function messagesOf(errors: Drawing['errors']): ReadonlyMap<string | null, string> {
  const known = messages.get(errors);
  if (known !== undefined) return known;
  const found = new Map<string | null, string>();
  // Of two errors of one field, the first counts.
  for (const { field, message } of errors) if (!found.has(field)) found.set(field, message);
  messages.set(errors, found);
  return found;
}

/** Characters. The markup around a control is longer than that, so to cut its text would save little. */
const NEVER_CUT = 100;

/** Never cuts a text that the field accepts; cut-text.ts limits longer ones. */
function textToShow(form: FilledForm<Fields>, field: AnyField, text: string): string {
  // A hidden value cut in half would be wrong, so it is dropped as a whole.
  if (!isTyped(field)) return text.length > MAX_ECHO_LENGTH ? '' : text;
  if (field.control === 'file') return text;
  // A character is one or two code units.
  const longest = Math.max(NEVER_CUT, 2 * (field.limits.maxLength ?? 0));
  return text.length <= longest ? text : cutText(text, Math.max(longest, shareOf(form)));
}

const shares = new WeakMap<FilledForm<Fields>, number>();

/** The length that its longest texts are cut to. It is found once for all fields, as `messagesOf`. */
function shareOf(form: FilledForm<Fields>): number {
  const known = shares.get(form);
  if (known !== undefined) return known;
  const share = lengthToFit(typedTexts(form.definition, form.text as TextTree));
  shares.set(form, share);
  return share;
}

/** The texts of all fields that are typed into. */
function typedTexts({ fields, names }: AnySet, texts: TextTree): string[] {
  return names.flatMap((name): string[] => {
    const part = fields[name] as Part;
    const text = texts[name] as TextNode;
    if (part.part === 'field') return isTyped(part) ? [text as FieldText].flat() : [];
    if (part.part === 'group') return typedTexts(part, text as TextTree);
    if (part.part === 'rows')
      return (text as readonly TextTree[]).flatMap((row) => typedTexts(part, row));
    return Object.entries(part.sets).flatMap(([value, set]) =>
      typedTexts(set, (text as TextTree)[value] as TextTree),
    );
  });
}

/** Null without one. */
function joinSentences(sentences: readonly (string | undefined)[]): string | null {
  const said = sentences.filter((one) => one !== undefined);
  return said.length === 0 ? null : [...new Set(said)].join('. ');
}

/** The first one, which Enter presses, is the main one; the others have the class `quiet`. */
function buttons({ choices }: AnyField, name: string, { translate }: Language): Html {
  const drawn = choices.map(({ value, label }, at) => {
    const styled = at === 0 ? {} : { class: 'quiet' };
    return html`${at === 0 ? null : '\n'}<button${writeAttributes({ name, value, ...styled })}>${translate(label)}</button>`;
  });
  return html`${drawn}`;
}
