/** The page that merges two fields, two kinds of things, or two choices. */
import {
  errorSummary,
  type FilledForm,
  formField,
  formTag,
  formTitle,
  type Href,
  type Html,
  html,
} from 'seeother';
import type { fieldAction } from '../../links.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import type { MergeFields } from './merge-form.ts';

export interface MergeView {
  readonly viewer: Viewer;
  readonly form: FilledForm<MergeFields>;
  readonly title: string;
  readonly about: string;
  /** If there is nothing to merge with. */
  readonly none: string;
  readonly back: Href;
  readonly action: ReturnType<typeof fieldAction>;
}

export function mergePage({ viewer, form, title, about, none, back, action }: MergeView): Html {
  const drawn = formField(form, 'into');
  const isPossible =
    drawn.markup.includes('<option value="') && !/There are no choices/.test(drawn.markup);
  return layout({
    title: formTitle(`${title} – Fields`, form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${back}">← Back</a></p>
<h1>${title}</h1>
<p>${isPossible ? about : none}</p>
${
  isPossible
    ? formTag(
        form,
        html`${formField(form, 'from')}
${drawn}
<div class="actions"><button>Merge</button> <a href="${back}">Cancel</a></div>
`,
        { action, class: 'form' },
      )
    : null
}`,
  });
}
