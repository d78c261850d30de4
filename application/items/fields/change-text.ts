/** Changes of the definitions in words: what was changed, and from what to what. */
import { type Html, html } from 'seeother';
import type { DefinitionChange } from '../../own-fields/change-definitions.ts';
import type { LoggedChange } from '../../own-fields/definition-log.ts';
import type { Definitions } from '../../own-fields/definitions.ts';
import type { OwnChoice } from '../../own-fields/own-field.ts';
import { listNames } from '../../site/format.ts';

/** After who has done it: “removed the field “Price””. */
export function describeChange({ kind, changes }: LoggedChange): string {
  const names = changes.map(nameOf);
  switch (kind) {
    case 'added':
      return `added ${listNames(names)}`;
    case 'changed':
      return `changed ${listNames(names)}`;
    case 'removed':
      return `removed ${listNames(names)}`;
    case 'ordered':
      return 'changed the order';
    case 'merged':
      return `merged ${listNames(names)}`;
    case 'undone':
      return `undid a change of ${names.length > 3 ? 'the order' : listNames(names)}`;
  }
}

function nameOf({ table, name }: DefinitionChange): string {
  return `${table === 'own_fields' ? 'the field' : 'the kind'} “${name}”`;
}

const LABELS: Readonly<Record<string, string>> = {
  ...{ label: 'Name', name: 'Name', hint: 'Hint', unit: 'Unit', icon: 'Icon', minimum: 'Minimum' },
  ...{ choices: 'Choices', item_kind: 'For', required: 'Required', in_list: 'Shown in the list' },
  ...{ searched: 'Found by the search', removed: 'Removed' },
};

/** The old and the new value of what was set; null if the words say all. */
export function changeDetails(
  { kind, changes }: LoggedChange,
  definitions: Definitions,
): Html | null {
  if (kind !== 'changed' && kind !== 'merged') return null;
  const lines = changes.flatMap(({ before, after }) =>
    Object.keys(after)
      .filter((column) => before !== null && column in LABELS)
      .map((column) => {
        const [old, now] = [before?.[column], after[column]].map((value) =>
          showValue(column, value ?? null, definitions),
        );
        return html`<p class="changes">${LABELS[column]}: <del>${old}</del> → <ins>${now}</ins></p>\n`;
      }),
  );
  return lines.length === 0 ? null : html`${lines}`;
}

function showValue(
  column: string,
  value: string | number | null,
  { allKinds }: Definitions,
): string {
  switch (column) {
    case 'choices':
      return (JSON.parse(String(value)) as readonly OwnChoice[])
        .filter(({ removed }) => removed !== true)
        .map(({ label }) => label)
        .join(', ');
    case 'item_kind':
      return value === null ? 'All things' : (allKinds.get(Number(value))?.name ?? '–');
    case 'required':
    case 'in_list':
    case 'searched':
    case 'removed':
      return value === 1 ? 'yes' : 'no';
    default:
      return value === null || value === '' ? '–' : String(value);
  }
}
