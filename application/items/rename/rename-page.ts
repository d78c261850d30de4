/** The form to rename a location or a tag, with a notice if it would merge two. */
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
import { action, facetsHref } from '../../links.ts';
import { formatCount } from '../../site/format.ts';
import { layout, type Viewer } from '../../site/layout.ts';
import type { NamedCount } from '../facets/facet-list.ts';
import { FACET_NAMES, TITLES } from '../facets/facet-names.ts';
import { suggestionList } from '../facets/suggestions.ts';
import type { FacetField } from '../facets.ts';
import type { RenameFields } from './rename-form.ts';

interface RenameView {
  readonly viewer: Viewer;
  readonly field: FacetField;
  /** The name to change, with the number of its items. */
  readonly from: NamedCount;
  readonly form: FilledForm<RenameFields>;
  readonly errors: readonly FormError<RenameFields>[];
  /** The other name that it would be merged with, to be confirmed. */
  readonly target: NamedCount | null;
  /** The names to suggest. */
  readonly names: readonly string[];
}

export function renamePage({ viewer, field, from, form, target, names }: RenameView): Html {
  const { one } = FACET_NAMES[field];
  const count = from.items + from.inside;
  return layout({
    title: formTitle(`Rename the ${one} ${from.name} – Items`, form),
    viewer,
    section: 'items',
    main: html`${errorSummary(form)}
<p class="back"><a href="${facetsHref(field)}">← ${TITLES[field]}</a></p>
<h1>Rename the ${one} “${from.name}”</h1>
<p>${from.items === 0 ? `${formatCount(count, 'item is', 'items are')} inside it.` : `${formatCount(count, 'item has', 'items have')} it.`}${field === 'location' ? html` What is inside it moves along: “${from.name}, shelf 1” becomes “new name, shelf 1”.` : null}</p>
${formTag(
  form,
  html`<input type="hidden" name="field" value="${field}">${formField(form, 'from')}
${formField(form, 'to')}
${suggestionList('names', names)}
${target === null ? null : mergeNotice(one, from, target)}
<div class="actions"><button>${target === null ? 'Rename' : 'Merge'}</button> <a href="${facetsHref(field)}">Cancel</a></div>
`,
  { action: action('/items/rename', {}, { send: '' }), class: 'form' },
)}`,
  });
}

function mergeNotice(one: string, from: NamedCount, target: NamedCount): Html {
  return html`<div class="notice"><p>There is a ${one} “${target.name}” already, with ${formatCount(target.items + target.inside, 'item', 'items')}. “${from.name}” becomes part of it. Undo separates them again.</p></div>
<input type="hidden" name="merge" value="${target.name}">`;
}
