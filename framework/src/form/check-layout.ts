/**
 * Finds what a layout of one's own has forgotten. A page without the key of its form would carry it out twice, and one
 * without a required field could never be sent; without the check, the first user would find out.
 *
 * A page without any field of the form, such as that of a list that is full, does not show the form.
 */
import { html } from '../http/html.ts';
import { type BoundPart, bindForm } from './bound-part.ts';
import { CHANGE } from './change-form.ts';
import type { SomeFilledForm } from './define-form.ts';
import { keyField } from './form-markup.ts';
import { keepRow } from './page-space.ts';

/** Whether the page has the key of its form, or needs none. */
export function hasKey(markup: string, form: Pick<SomeFilledForm, 'once'>): boolean {
  const key = keyField(form);
  return key === null || markup.includes(key.markup);
}

/** Why the page is wrong, and the remedy; null if it is right. */
export function findOmission(
  markup: string,
  form: SomeFilledForm,
  errors: readonly { readonly message: string }[],
): string | null {
  const key = keyField(form)?.markup ?? null;
  const { names } = form.definition;
  const at = key === null ? -1 : markup.indexOf(key);
  if (key !== null && at === -1) {
    if (names.length > 0 && !names.some((name) => hasField(markup, name))) return null;
    return 'the page lacks the key of its form, so a form that is sent twice would be carried out twice. Draw the form with formTag(form, content), or write onceField(form) into the <form>.';
  }
  const start = markup.lastIndexOf('<form', Math.max(at, 0));
  const end = markup.indexOf('</form>', start);
  if (key === null || start === -1) return null;
  const drawn = markup.slice(start, end === -1 ? undefined : end);
  return findInForm(drawn + findOutside(markup, drawn), form) ?? findError(markup, errors);
}

/** The controls elsewhere on the page that belong to the form by their attribute `form`. */
function findOutside(markup: string, drawn: string): string {
  const id = /^<form[^>]* id="([^"]*)"/.exec(drawn)?.[1];
  if (id === undefined) return '';
  const controls = markup.match(/<(?:input|select|textarea)[^>]*>/g) ?? [];
  return controls.filter((one) => one.includes(` form="${id}"`)).join('');
}

function findInForm(drawn: string, form: SomeFilledForm): string | null {
  const tag = drawn.slice(0, drawn.indexOf('>'));
  if (!/ method="post"/i.test(tag))
    return 'its <form> has no method="post", so the browser would put the fields into the address. Use formTag(form, content).';
  if (form.definition.receive !== null && !/ enctype="multipart\/form-data"/i.test(tag))
    return 'its <form> has no enctype="multipart/form-data", so the browser would send no file. Use formTag(form, content).';
  const missing = bindForm(form)
    .all((one) => isLaidOut(one, drawn))
    .find(
      ({ part, path }) =>
        part.part === 'field' &&
        part.required &&
        !hasField(drawn, path) &&
        // Without a choice, there is no control.
        !(part.frame === 'legend' && drawn.includes(` id="${path}"`)),
    );
  if (missing !== undefined)
    return `the form lacks the required field ${JSON.stringify(missing.path)}, so it could never be sent. Write formField(form, ${JSON.stringify(missing.path)}) into it.`;
  const first = /<button[^>]*>/.exec(drawn)?.[0] ?? '';
  if (first.includes(` name="${CHANGE}"`))
    return 'its first button changes a row, and Enter would press it. Use formTag(form, content), which has a button for Enter.';
  return null;
}

/** Of rows, the first one counts: the others have the same layout. None does if the page has no space for it. */
function isLaidOut({ part, key, path }: BoundPart, drawn: string): boolean {
  return part.part !== 'row' || (key === 0 && !drawn.includes(keepRow(path).markup));
}

function hasField(markup: string, path: string): boolean {
  return markup.includes(` name="${path}"`) || markup.includes(` name="${path}.`);
}

/** Why the page is wrong that lacks an error of its form; null if it has all. */
export function findError(
  markup: string,
  errors: readonly { readonly message: string }[],
): string | null {
  // The summary writes the first letter in lower case after the name of a row.
  const shown = errors.length === 0 ? '' : markup.toLowerCase();
  const hidden = errors.find(
    ({ message }) => !shown.includes(html`${message}`.markup.toLowerCase()),
  );
  if (hidden === undefined) return null;
  return `the form was refused, and the page lacks its error ${JSON.stringify(hidden.message)}. Write errorSummary(form) above the form.`;
}
