/** The page that merges two fields, two kinds of things, or two choices. */
import { type FilledForm, formField, type Href, type Html, html } from 'seeother';
import type { Viewer } from '../../site/layout.ts';
import { definitionPage } from './definition-page.ts';
import type { MergeFields } from './merge-form.ts';

export interface MergeView {
  readonly viewer: Viewer;
  readonly form: FilledForm<MergeFields>;
  readonly title: string;
  readonly about: string;
  /** If there is nothing to merge with. */
  readonly none: string;
  readonly back: Href;
  readonly action: string;
}

export function mergePage({ viewer, form, title, about, none, back, action }: MergeView): Html {
  const drawn = formField(form, 'into');
  const isPossible =
    drawn.markup.includes('<option value="') && !/There are no choices/.test(drawn.markup);
  return definitionPage({
    ...{ viewer, title, form, back, action, button: 'Merge' },
    about: html`<p>${isPossible ? about : none}</p>\n`,
    fields: isPossible ? html`${formField(form, 'from')}\n${drawn}` : null,
  });
}
