/**
 * The HTML of a form. A field is its label, hint, error and control, in this order. The error is
 * linked to its control and repeated in a summary above the form, which takes the focus without
 * script.
 *
 * Controls show the submitted text again, except those of passwords, which have no value, and of files,
 * which no page can fill: the field says to choose the file again. Text that
 * is too long for the page is cut, and the field says so.
 */
import type { Advice } from '../http/advice.ts';
import { escapeHtml, type Html, html, trustedHtml } from '../http/html.ts';
import { cutText, lengthToFit, MAX_ECHO_LENGTH } from './cut-text.ts';
import type { Fields, FilledForm, FormError } from './define-form.ts';
import { type Choice, type Field, isTyped } from './field.ts';

/** The list of errors, with a link to each field; null without errors. */
export function errorSummary<F extends Fields>(errors: readonly FormError<F>[]): Html | null {
  if (errors.length === 0) return null;
  return html`<div class="error-summary" role="alert" tabindex="-1" autofocus>
<h2>There is a problem</h2>
<ul>
${errors.map(({ field, message }) => html`<li>${field === null ? message : html`<a href="#${field}">${message}</a>`}</li>\n`)}</ul>
</div>`;
}

/** The title of a page with a form, with "Error: " before it when there are errors. */
export function formTitle(title: string, errors: readonly unknown[]): string {
  return errors.length === 0 ? title : `Error: ${title}`;
}

/** The hidden field with the idempotency key; see `onlyOnce`. */
export function onceField<F extends Fields>({ once }: FilledForm<F>): Html | null {
  return once === null ? null : html`<input type="hidden" name="_once" value="${once}">`;
}

/**
 * One field: label, hint, error and control; for a `buttonField`, its buttons. The name of a field that is not in the form does not
 * compile.
 */
export function formField<F extends Fields, Name extends string>(
  form: FilledForm<F>,
  name: (keyof F & string) | FieldName<F, Name>,
  errors: readonly FormError<F>[],
): Html {
  const field = form.definition.fields[name];
  if (field === undefined) throw unknownField(form, name);
  const text = textToShow(form, name);
  if (field.control === 'hidden') return html`<input type="hidden" name="${name}" value="${text}">`;
  if (field.control === 'button') return buttons(field, name);
  const error = joinSentences(
    errors.find((one) => one.field === name)?.message,
    field.control === 'file' && text !== '' ? `Choose the file “${text}” again` : undefined,
    text.length < form.text[name].length && field.control !== 'file'
      ? `Only the first ${text.length.toLocaleString('en')} characters are shown here`
      : undefined,
  );
  const hint =
    field.hint === null ? null : html`<p class="hint" id="${name}-hint">${field.hint}</p>\n`;
  const problem =
    error === undefined
      ? null
      : html`<p class="field-error" id="${name}-error"><span class="visually-hidden">Error:</span> ${error}</p>\n`;
  const described = describedBy(name, hint !== null, problem !== null);
  if (field.control === 'checkbox') {
    return html`<div class="field checkbox">
${control(field, name, text, described)}
<label for="${name}">${field.label}</label>
${hint}${problem}</div>`;
  }
  return html`<div class="field${error === undefined ? null : ' has-error'}">
<label for="${name}">${field.label}${field.required ? null : html` <span class="optional">(optional)</span>`}</label>
${hint}${problem}${control(field, name, text, described)}
</div>`;
}

type FieldName<F extends Fields, Name extends string> = Name extends keyof F
  ? Name
  : Advice<`The form has no field ${Name}: use a name from its definition`>;

function unknownField<F extends Fields>({ definition }: FilledForm<F>, name: string): TypeError {
  return new TypeError(
    `Cannot render the field ${JSON.stringify(name)}: the form has ${definition.names.join(', ')}. Use one of these names, or add the field to defineForm.`,
  );
}

/** Never cuts a text that the field accepts; cut-text.ts limits longer ones. */
function textToShow<F extends Fields>(
  { definition, text }: FilledForm<F>,
  name: keyof F & string,
): string {
  const { fields, names } = definition;
  const isHidden = (one: keyof F) => !isTyped(fields[one] as Field<unknown>);
  // A hidden value cut in half would be wrong, so it is dropped as a whole.
  if (isHidden(name)) return text[name].length > MAX_ECHO_LENGTH ? '' : text[name];
  const typed = names.filter((one) => !isHidden(one)).map((one) => text[one]);
  // A character is one or two code units.
  const longest = 2 * (fields[name]?.limits.maxLength ?? 0);
  return cutText(text[name], Math.max(longest, lengthToFit(typed)));
}

function joinSentences(...sentences: readonly (string | undefined)[]): string | undefined {
  const said = sentences.filter((one) => one !== undefined);
  return said.length === 0 ? undefined : said.join('. ');
}

/** `false` omits the attribute; `true` writes it without a value. */
type Attributes = Readonly<Record<string, string | boolean>>;

/** The definition can set attributes such as `type` or `rows`, but not the id, name or value. */
function control(field: Field<unknown>, name: string, text: string, described: Attributes): Html {
  const write = (own: Attributes, preset: Attributes = own) =>
    writeAttributes({ ...preset, ...field.attributes, ...own, ...described });
  const own = { id: name, name };
  switch (field.control) {
    case 'checkbox':
      return html`<input${write({ type: 'checkbox', ...own, checked: text !== '' })}>`;
    case 'password':
      return html`<input${write({ type: 'password', ...own, value: false })}>`;
    case 'file':
      return html`<input${write({ type: 'file', ...own, value: false })}>`;
    case 'choice':
      return html`<select${write(own)}>\n${options(field, text)}</select>`;
    case 'multiline':
      // HTML ignores a line break right after the opening tag. Writing one preserves an empty first
      // line of the text.
      return html`<textarea${write(own, { ...own, rows: '6' })}>\n${text}</textarea>`;
    default: {
      const filled = { ...own, value: text };
      return html`<input${write(filled, { type: 'text', ...filled })}>`;
    }
  }
}

/** The first one, which Enter presses, is the main one; the others have the class `quiet`. */
function buttons({ choices }: Field<unknown>, name: string): Html {
  const drawn = choices.map(({ value, label }, at) => {
    const styled = at === 0 ? {} : { class: 'quiet' };
    return html`${at === 0 ? null : '\n'}<button${writeAttributes({ name, value, ...styled })}>${label}</button>`;
  });
  return html`${drawn}`;
}

/**
 * A submitted value that is not a choice is added at the end, so that the page shows the wrong
 * value.
 */
function options({ choices, required }: Field<unknown>, text: string): readonly Html[] {
  const blank = required && text !== '' ? [] : [{ value: '', label: '' }];
  const known = text === '' || choices.some(({ value }) => value === text);
  const all: readonly Choice[] = [
    ...blank,
    ...choices,
    ...(known ? [] : [{ value: text, label: text }]),
  ];
  return all.map(
    ({ value, label }) =>
      html`<option${writeAttributes({ value, selected: value === text })}>${label}</option>\n`,
  );
}

/** First the hint, then the error, as on the page. */
function describedBy(name: string, hint: boolean, error: boolean): Attributes {
  if (!hint && !error) return {};
  const ids = [hint ? `${name}-hint` : '', error ? `${name}-error` : ''].filter((id) => id !== '');
  return { 'aria-describedby': ids.join(' '), ...(error ? { 'aria-invalid': 'true' } : {}) };
}

function writeAttributes(attributes: Attributes): Html {
  let markup = '';
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) markup += ` ${name}`;
    else if (value !== false) markup += ` ${name}="${escapeHtml(value)}"`;
  }
  return trustedHtml(markup);
}
