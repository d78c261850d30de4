/** How the columns of a file and the fields of one's own are called. */
import type { Definitions, OwnField } from '../own-fields/definitions.ts';
import { readAmount } from './read-amount.ts';
import { plainText } from './same-text.ts';

/** Capitals and spaces make no difference, and neither does a unit in brackets. */
export function findByLabel(heading: string, { fields, allKinds }: Definitions): OwnField | null {
  const sought = new Set([heading, splitLabel(heading).label].map(plainText));
  return (
    fields.find(({ label, itemKind }) => {
      const kind = itemKind === null ? undefined : allKinds.get(itemKind)?.name;
      return sought.has(plainText(label)) || sought.has(plainText(`${label} (${kind})`));
    }) ?? null
  );
}

/** Characters of a label. */
const MAX_LABEL = 60;

/** “Length (mm)” is a length in millimetres. */
export function splitLabel(heading: string): { readonly label: string; readonly unit: string } {
  const [, own = heading, inside = ''] =
    /^(.*\S)\s*[([]([^()[\]]{1,10})[)\]]$/u.exec(heading) ?? [];
  const amount = inside === '' ? null : readAmount(`1 ${inside}`, null);
  const label = (amount === null ? heading : own).replace(/\s*:$/, '');
  return {
    label: [...label].slice(0, MAX_LABEL).join('').trim(),
    unit: amount?.currency ?? amount?.unit ?? '',
  };
}
