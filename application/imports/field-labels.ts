/** How the columns of a file and the fields of one's own are called. */
import type { Definitions, OwnField } from '../own-fields/definitions.ts';
import { toHeading, toLabelKey } from '../own-fields/label-rules.ts';
import { readAmount } from './read-amount.ts';
import { plainText } from './same-text.ts';

/** Capitals, spaces and a unit in brackets make no difference. The heading of an export comes first. */
export function findByLabel(heading: string, definitions: Definitions): OwnField | null {
  const sought = plainText(heading);
  const fields = definitions.fields.filter(({ label }) => sought.includes(plainText(label)));
  const find = (text: string, nameOf: (field: OwnField) => string) =>
    fields.find((field) => plainText(nameOf(field)) === text) ?? null;
  const ofKind = ({ label, itemKind }: OwnField) =>
    `${label} (${definitions.allKinds.get(itemKind ?? 0)?.name})`;
  return (
    find(sought, (field) => toHeading(field, definitions)) ??
    find(sought, ofKind) ??
    find(sought, ({ label }) => label) ??
    find(plainText(splitLabel(heading).label), ({ label }) => label)
  );
}

/** The field that was called so before. Null also if several were. */
export function findByFormerName(heading: string, definitions: Definitions): OwnField | null {
  const { fields, allKinds, former } = definitions;
  const sought = [heading, splitLabel(heading).label].map(toLabelKey);
  const found = fields.filter(({ id, label, itemKind }) => {
    const labels = [label, ...(former.fields.get(id) ?? [])];
    const kind = allKinds.get(itemKind ?? 0);
    const kinds = kind === undefined ? [] : [kind.name, ...(former.kinds.get(kind.id) ?? [])];
    const headings = labels.flatMap((one) => [one, ...kinds.map((kind) => `${kind}: ${one}`)]);
    return headings.some((one) => sought.includes(toLabelKey(one)));
  });
  return found.length === 1 ? (found[0] ?? null) : null;
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
