/** What stands in the form of a new item at first: that of another item, or of a kind. */
import type { FilledForm } from 'seeother';
import type { Definitions } from '../../own-fields/definitions.ts';
import type { Items } from '../item.ts';
import { type ItemFields, toItemText } from '../item-form.ts';
import { shownFields, toOwnText } from '../own-form.ts';
import { parseNumber } from '../parse-number.ts';
import { readText } from '../read-item-query.ts';

export function fillNew(
  items: Pick<Items, 'find'>,
  definitions: Definitions,
  query: URLSearchParams,
) {
  return (
    fillLike(items, query, definitions, 'like') ??
    fillLike(items, query, definitions, 'saved') ?? {
      ...fillScanned(query),
      ...fillKind(definitions, query.get('kind')),
    }
  );
}

/**
 * The texts of the item that the query names: all of them, or for the next one that people add after `saved`, its
 * place, tags and kind. Null if the query names none.
 */
function fillLike(
  { find }: Pick<Items, 'find'>,
  query: URLSearchParams,
  definitions: Definitions,
  name: 'like' | 'saved',
) {
  const number = parseNumber(query.get(name) ?? '');
  if (number === null) return null;
  return find(number).then((item) => {
    if (item === null) return {};
    const text = toItemText(item);
    const own = toOwnText(definitions, item);
    if (name === 'like') return { ...text, ...own };
    return {
      location: text.location,
      tags: text.tags,
      ...('kind' in own ? { kind: own.kind } : {}),
    };
  });
}

function fillKind({ kinds }: Definitions, text: string | null) {
  const kind = kinds.find(({ id }) => String(id) === text);
  if (kind === undefined) return {};
  return { kind: String(kind.id), minimum: String(kind.minimum ?? '') };
}

/** A code that was scanned, and the place that things are scanned to. */
function fillScanned(query: URLSearchParams) {
  return {
    ...{ code: readText(query, 'code'), serial: readText(query, 'serial') },
    location: readText(query, 'place'),
  };
}

/** After *Use this kind*, an empty minimum is that of the kind. */
export function withMinimum(form: FilledForm<ItemFields>): FilledForm<ItemFields> {
  const { definitions, kind } = shownFields(form) ?? {};
  const minimum = kind == null ? null : (definitions?.allKinds.get(kind)?.minimum ?? null);
  if (form.change !== 'update kind' || form.text.minimum !== '' || minimum === null) return form;
  return { ...form, text: { ...form.text, minimum: String(minimum) } };
}
