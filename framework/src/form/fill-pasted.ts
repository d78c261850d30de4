/**
 * Which rows of a form are filled from a spreadsheet: those of the button *Fill in the rows*, or all with cells if the
 * form itself was sent. Its user has forgotten the button, and the cells would be lost.
 */
import { type Button, isButton } from '../field/button-field.ts';
import type { AnyField } from '../field/field.ts';
import type { BoundPart } from './bound-part.ts';
import { toChange } from './change-form.ts';
import type { Fields, FilledForm, RefusedForm } from './define-form.ts';
import { isGiven, pasteOf } from './pasted-parts.ts';

export interface FilledFromTable<F extends Fields> {
  readonly form: FilledForm<F>;
  readonly validation: RefusedForm<F>;
  readonly status: 200;
}

/** The form with these rows filled. */
export async function fillRows<F extends Fields>(
  form: FilledForm<F>,
  rows: readonly BoundPart[],
): Promise<FilledFromTable<F>> {
  const filling = await import('./fill-rows.ts');
  return { ...(await filling.fillRows(form, rows)), status: 200 };
}

/** `whole` is bound to what was sent, and `change` is the button that changes the form. */
export function rowsToFill(whole: BoundPart, change: string): readonly BoundPart[] {
  const all = whole
    .all(({ part }) => part.part !== 'rows')
    .filter(({ part }) => part.part === 'rows' && part.paste !== null);
  if (change !== '') return all.filter(({ path }) => change === toChange('fill', path));
  // A button that does not check the rows sends the form without them.
  const button = whole.parts.find(({ part }) => isButton(part));
  const buttons = (button?.part as AnyField | undefined)?.choices as readonly Button[] | undefined;
  const { checks = null } = buttons?.find(({ value }) => value === button?.text) ?? {};
  return all.filter(
    (one) =>
      (checks === null || checks.includes(one.path.replace(/\..*/s, ''))) &&
      (['cells', 'file'] as const).some((source) => isGiven(pasteOf(one, source))),
  );
}
