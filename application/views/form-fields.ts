/**
 * A form as people meet it: label above, hint, error, control, in this order; an error is tied to
 * its field and repeated in a summary on top, which takes the focus without any script.
 */
import {
  type Fields,
  type FilledForm,
  type FormError,
  type Html,
  html,
  trustedHtml,
} from 'seeother';

/** The summary of what is wrong, with a link to each field; nothing when nothing is. */
export function errorSummary<F extends Fields>(errors: readonly FormError<F>[]): Html | null {
  if (errors.length === 0) return null;
  return html`<div class="error-summary" role="alert" tabindex="-1" autofocus>
<h2>There is a problem</h2>
<ul>
${errors.map(({ field, message }) => html`<li><a href="#${field}">${message}</a></li>\n`)}</ul>
</div>`;
}

/** The title of a page with a form says first that something is wrong. */
export function formTitle(title: string, errors: readonly unknown[]): string {
  return errors.length === 0 ? title : `Error: ${title}`;
}

/** The key that makes the form count once. */
export function onceField<F extends Fields>({ once }: FilledForm<F>): Html | null {
  return once === null ? null : html`<input type="hidden" name="_once" value="${once}">`;
}

/** One field with everything around it. A name that the form has not does not compile. */
export function formField<F extends Fields>(
  form: FilledForm<F>,
  name: keyof F & string,
  errors: readonly FormError<F>[],
): Html {
  const field = form.definition.fields[name] as Fields[string];
  const text = form.text[name];
  if (field.control === 'hidden') return html`<input type="hidden" name="${name}" value="${text}">`;
  const error = errors.find((one) => one.field === name)?.message;
  const hint =
    field.hint === null ? null : html`<p class="hint" id="${name}-hint">${field.hint}</p>\n`;
  const problem =
    error === undefined
      ? null
      : html`<p class="field-error" id="${name}-error"><span class="visually-hidden">Error:</span> ${error}</p>\n`;
  const attributes = { ...field.attributes, ...describedBy(name, hint !== null, problem !== null) };
  if (field.control === 'checkbox') {
    return html`<div class="field checkbox">
<input type="checkbox" id="${name}" name="${name}"${text === '' ? null : trustedHtml(' checked')}${list(attributes)}>
<label for="${name}">${field.label}</label>
${hint}${problem}</div>`;
  }
  return html`<div class="field${error === undefined ? null : ' has-error'}">
<label for="${name}">${field.label}${field.required ? null : html` <span class="optional">(optional)</span>`}</label>
${hint}${problem}${control(field.control, name, text, list(attributes))}
</div>`;
}

function control(
  kind: Fields[string]['control'],
  name: string,
  text: string,
  attributes: Html,
): Html {
  // A line break right after the opening tag is not content: one is put there, so that a first
  // line that is empty comes back too.
  if (kind === 'multiline')
    return html`<textarea id="${name}" name="${name}" rows="6"${attributes}>\n${text}</textarea>`;
  if (kind === 'password')
    return html`<input type="password" id="${name}" name="${name}"${attributes}>`;
  return html`<input type="text" id="${name}" name="${name}" value="${text}"${attributes}>`;
}

/** The hint first, then the error, in the order in which they stand. */
function describedBy(
  name: string,
  hint: boolean,
  error: boolean,
): Readonly<Record<string, string>> {
  if (!hint && !error) return {};
  const ids = [hint ? `${name}-hint` : '', error ? `${name}-error` : ''].filter((id) => id !== '');
  return { 'aria-describedby': ids.join(' '), ...(error ? { 'aria-invalid': 'true' } : {}) };
}

function list(attributes: Readonly<Record<string, string>>): Html {
  return html`${Object.entries(attributes).map(([name, value]) => html` ${trustedHtml(name)}="${value}"`)}`;
}
