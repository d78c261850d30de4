/** Renames a tag on all its items. A merge must be confirmed. Places are renamed on their own pages. */
import { type FilledForm, HttpError, normalizeText, seeOther } from 'seeother';
import { placeAtHref, tagsHref } from '../../links.ts';
import { formHandlers } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import { withUndo } from '../events/batch-text.ts';
import type { FacetList, NamedCount } from '../facets/facet-list.ts';
import type { Suggest } from '../facets/suggestions.ts';
import { toFacetKey } from '../facets.ts';
import { MAX_TAG_LENGTH } from '../item-limits.ts';
import { describeDone } from '../select/describe-done.ts';
import { type RenameFields, renameForm } from './rename-form.ts';
import { renamePage } from './rename-page.ts';
import { renameTag } from './rename-tag.ts';

export function createRenameController(facetList: FacetList, suggest: Suggest) {
  const rename = formHandlers(renameForm, {
    name: 'rename',
    fill({ request: { query } }) {
      const from = query.get('name') ?? '';
      return { field: query.get('what') ?? '', from, to: from };
    },
    async show({ form, errors, isSent, ...context }) {
      // An earlier release renamed locations with this form.
      if (form.text.field === 'location')
        return isSent
          ? missing('A location is renamed on the page of its place now.')
          : seeOther(placeAtHref(form.text.from));
      if (form.text.field !== 'tag') missing('The address does not say what to rename.');
      const from = await findName(form.text.from);
      const target = isSent ? await findTarget(form.text) : null;
      const { tags: names } = await suggest();
      return renamePage({ viewer: toViewer(context), form, target, names, from, errors });
    },
    async act({ once, session, form, values }) {
      const { from, to, merge } = values;
      const problem = findProblem(values);
      if (problem !== null) return { errors: [{ field: 'to', message: problem }] };
      const target = await findTarget(form.text);
      if (target !== null && toFacetKey(merge) !== toFacetKey(target.name)) {
        const message = `“${target.name}” already exists: read the note below, then press Merge`;
        return { errors: [{ field: 'to', message }] };
      }
      // A merge keeps the existing spelling.
      const name = target?.name ?? to;
      return once(async (transaction) => {
        const done = await renameTag(transaction, { from, to: name }, session.user.id);
        const operation = { kind: 'renamed', what: 'tag', from, to: name } as const;
        const rest = done.hasMore ? ` More items have “${from}”: rename it again for those.` : '';
        return withUndo(done.batch, tagsHref(), `${describeDone(operation, done)}${rest}`);
      });
    },
  });

  async function findName(name: string): Promise<NamedCount> {
    const found = name.includes('\0') ? null : await facetList.find('tag', name);
    return found ?? missing(`No item has the tag “${name}” any more.`);
  }

  /** The existing name that a rename would merge with; null for another spelling of the same name. */
  async function findTarget(text: FilledForm<RenameFields>['text']): Promise<NamedCount | null> {
    const to = normalizeText(text.to).replaceAll('\0', '');
    if (to === '' || toFacetKey(to) === toFacetKey(text.from)) return null;
    return facetList.find('tag', to);
  }

  return { rename };
}

function findProblem({ from, to }: { readonly from: string; readonly to: string }): string | null {
  if (to.includes(',')) return 'Name of a tag must not have a comma';
  if ([...to].length > MAX_TAG_LENGTH)
    return `Name of a tag must be ${MAX_TAG_LENGTH} characters or less`;
  return to === from ? 'Enter another name' : null;
}

function missing(message: string): never {
  throw new HttpError(404, message);
}
