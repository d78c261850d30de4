/** The form to rename a tag, with a notice if it would merge two. */
import {
  errorSummary,
  type FilledForm,
  type FormError,
  formField,
  formTag,
  formTitle,
  type Html,
  html,
} from 'seeother';
import { action, tagsHref } from '../../links.ts';
import { formatCount } from '../../site/format.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import type { NamedCount } from '../facets/facet-list.ts';
import { suggestionList } from '../facets/suggestions.ts';
import type { RenameFields } from './rename-form.ts';

interface RenameView {
  readonly viewer: Viewer;
  /** The name to change, with the number of its items. */
  readonly from: NamedCount;
  readonly form: FilledForm<RenameFields>;
  readonly errors: readonly FormError<RenameFields>[];
  /** The other name that it would be merged with, to be confirmed. */
  readonly target: NamedCount | null;
  /** The names to suggest. */
  readonly names: readonly string[];
}

export function renamePage({ viewer, from, form, target, names }: RenameView): Html {
  return layout({
    title: formTitle(`Rename the tag ${from.name} – Items`, form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${tagsHref()}">← Tags</a></p>
<h1>Rename the tag “${from.name}”</h1>
<p>${formatCount(from.items, 'item has', 'items have')} it.</p>
${formTag(
  form,
  html`<input type="hidden" name="field" value="tag">${formField(form, 'from')}
${formField(form, 'to')}
${suggestionList('names', names)}
${target === null ? null : mergeNotice(from, target)}
<div class="actions"><button>${target === null ? 'Rename' : 'Merge'}</button> <a href="${tagsHref()}">Cancel</a></div>
`,
  { action: action('/items/rename', {}, { send: '' }), class: 'form' },
)}`,
  });
}

function mergeNotice(from: NamedCount, target: NamedCount): Html {
  return html`<div class="notice"><p>There is a tag “${target.name}” already, with ${formatCount(target.items, 'item', 'items')}. “${from.name}” becomes part of it. Undo separates them again.</p></div>
<input type="hidden" name="merge" value="${target.name}">`;
}
