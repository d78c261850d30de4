/** How the forms that add and change things draw the kind and the fields that the team has defined. */
import { type Fields, type FilledForm, formField, type Html, html } from 'seeother';
import { type OwnFormFields, shownFields } from './own-form.ts';

type WithOwn<F extends Fields> = FilledForm<F & OwnFormFields>;

/** The kind stands first: it tells which fields there are. */
export function kindPart<F extends Fields>(whole: WithOwn<F>): Html | null {
  const form = whole as unknown as FilledForm<OwnFormFields>;
  return form.definition.names.includes('kind') ? formField(form, 'kind') : null;
}

export function ownParts<F extends Fields>(whole: WithOwn<F>): Html | null {
  const form = whole as unknown as FilledForm<OwnFormFields>;
  const shown = shownFields(form);
  if (shown === null) return null;
  const { own, kept } = shown;
  const draw = (fields: typeof own) => fields.map(({ name }) => formField(form, name));
  if (kept.length === 0) return html`${draw(own)}`;
  const names = kept.map(({ name }) => name as string);
  const hasError = form.errors?.some(({ field }) => names.includes(String(field))) ?? false;
  return html`${draw(own)}
<details class="kept-fields"${hasError ? html` open` : null}>
<summary>Kept from another kind: ${kept.map(({ label }) => label).join(', ')}</summary>
<p class="hint">This kind does not have these fields. What they hold is kept, and shown again with their kind.</p>
${draw(kept)}
</details>`;
}
