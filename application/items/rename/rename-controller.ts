/** Renames a location or a tag on all its items. A merge must be confirmed. */
import { type FilledForm, HttpError, normalizeText } from 'seeother';
import { facetsHref } from '../../links.ts';
import { formHandlers } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import { withUndo } from '../events/batch-text.ts';
import type { FacetList, NamedCount } from '../facets/facet-list.ts';
import { FACET_NAMES } from '../facets/facet-names.ts';
import type { Suggest } from '../facets/suggestions.ts';
import { type FacetField, toFacetKey } from '../facets.ts';
import { describeDone } from '../select/describe-done.ts';
import { renameFacet } from './rename-facet.ts';
import { type RenameFields, renameForm } from './rename-form.ts';
import { renamePage } from './rename-page.ts';

export function createRenameController(facetList: FacetList, suggest: Suggest) {
  const rename = formHandlers(renameForm, {
    name: 'rename',
    fill({ request: { query } }) {
      const from = query.get('name') ?? '';
      return { field: query.get('what') ?? '', from, to: from };
    },
    async show({ form, errors, isSent, ...context }) {
      const field = readField(form.text.field);
      const from = await findName(field, form.text.from);
      const target = isSent ? await findTarget(form.text) : null;
      const { locations, tags } = await suggest();
      const names = field === 'location' ? locations : tags;
      return renamePage({ viewer: toViewer(context), field, form, target, names, from, errors });
    },
    async act({ once, session, form, values }) {
      const { field, from, to, merge } = values;
      const problem = findProblem(form.text, values);
      if (problem !== null) return { errors: [{ field: 'to', message: problem }] };
      const target = await findTarget(form.text);
      if (target !== null && toFacetKey(merge) !== toFacetKey(target.name)) {
        const message = `“${target.name}” already exists: read the note below, then press Merge`;
        return { errors: [{ field: 'to', message }] };
      }
      // A merge keeps the existing spelling.
      const name = target?.name ?? to;
      return once(async (transaction) => {
        const change = { field, from, to: name };
        const done = await renameFacet(transaction, change, session.user.id);
        const operation = { kind: 'renamed', what: field, from, to: name } as const;
        const rest = done.hasMore ? ` More items have “${from}”: rename it again for those.` : '';
        return withUndo(done.batch, facetsHref(field), `${describeDone(operation, done)}${rest}`);
      });
    },
  });

  async function findName(field: FacetField, name: string): Promise<NamedCount> {
    const found = name.includes('\0') ? null : await facetList.find(field, name);
    return found ?? missing(`No item has the ${FACET_NAMES[field].one} “${name}” any more.`);
  }

  /** The existing name that a rename would merge with; null for another spelling of the same name. */
  async function findTarget(text: FilledForm<RenameFields>['text']): Promise<NamedCount | null> {
    const to = normalizeText(text.to).replaceAll('\0', '');
    if (to === '' || toFacetKey(to) === toFacetKey(text.from)) return null;
    return facetList.find(readField(text.field), to);
  }

  return { rename };
}

function findProblem(
  { from }: FilledForm<RenameFields>['text'],
  { field, to }: { readonly field: FacetField; readonly to: string },
): string | null {
  const { one, maxLength } = FACET_NAMES[field];
  if (field === 'tag' && to.includes(',')) return 'Name of a tag must not have a comma';
  if ([...to].length > maxLength) return `Name of a ${one} must be ${maxLength} characters or less`;
  if (field === 'location' && isInside(to, from))
    return `A ${one} cannot be inside itself: choose a name that does not begin with “${from},”`;
  return to === from ? 'Enter another name' : null;
}

function isInside(inner: string, outer: string): boolean {
  return toFacetKey(inner).startsWith(`${toFacetKey(outer)},`);
}

function readField(text: string): FacetField {
  return text === 'location' || text === 'tag'
    ? text
    : missing('The address does not say what to rename.');
}

function missing(message: string): never {
  throw new HttpError(404, message);
}
