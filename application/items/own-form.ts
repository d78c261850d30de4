/**
 * The kind of a thing and the fields that the team has defined, in the forms that add and change things. The form shows
 * the fields of the chosen kind. A thing that has values in fields of another kind keeps them, and the form has these
 * fields too: a change of the kind loses nothing.
 */
import { type Context, type Fields, type Form, type FormValues, withFields } from 'seeother';
import { choiceField, type Field } from 'seeother/fields';
import { type Awaitable, andThen } from 'seeother/middleware';
import type { KyselyTransaction } from '../database/kysely.ts';
import { type Definitions, fieldsOfKind, type OwnField } from '../own-fields/definitions.ts';
import { NO_VALUES, type OwnName, type OwnValue } from '../own-fields/own-field.ts';
import { showOwnValue, withoutEmpty } from '../own-fields/own-values.ts';
import type { OwnFormField } from '../own-fields/to-form-field.ts';
import type { Items } from './item.ts';
import type { ItemInput } from './item-fields.ts';

/** Which of them a form has, only its definitions know. */
export type OwnFormFields = Readonly<
  Partial<Record<'kind', Field<number | ''>>> & Record<OwnName, OwnFormField>
>;

/** What is known of the fields of a form. */
export interface ShownFields {
  readonly definitions: Definitions;
  readonly kind: number | null;
  /** Those of the kind, in their order. */
  readonly own: readonly OwnField[];
  /** Those of other kinds that have a value. */
  readonly kept: readonly OwnField[];
}

const shown = new WeakMap<object, ShownFields>();

/** Null for a form of a team that has defined nothing. */
export function shownFields(form: { readonly definition: object }): ShownFields | null {
  return shown.get(form.definition) ?? null;
}

interface Typed {
  readonly typed: URLSearchParams;
  readonly shownFields: ReadonlyMap<string, string> | null;
}

/** Forms of different kinds that are kept for a revision of the definitions. */
const MAX_FORMS = 200;

/**
 * A function that makes the form of a request. `toForm` makes it without these fields; what else they need in it, their
 * names and labels tell. It is made once for each kind and revision of the definitions.
 */
export function createOwnForm<F extends Fields, V>(
  items: Pick<Items, 'definitions'>,
  toForm: (own: readonly NamedField[]) => Form<F, V>,
) {
  type Made = Form<F & OwnFormFields, V & FormValues<OwnFormFields>>;
  const plain = toForm([]) as unknown as Made;
  const made = { definitions: null as Definitions | null, forms: new Map<string, Made>() };

  const make = (definitions: Definitions, context: Typed): Made => {
    const { kinds, fields } = definitions;
    if (kinds.length === 0 && fields.length === 0) return plain;
    const { typed } = context;
    if (made.definitions !== definitions || made.forms.size >= MAX_FORMS) {
      made.definitions = definitions;
      made.forms.clear();
    }
    const kind = toKind(definitions, typed.get('kind'));
    const own = fieldsOfKind(definitions, kind);
    const isTyped = ({ name }: OwnField) => typed.getAll(name).some((text) => text !== '');
    const kept = fields.filter((field) => !own.includes(field) && isTyped(field));
    const key = [kind, ...kept.map(({ id }) => id)].join();
    const known = made.forms.get(key);
    if (known !== undefined) return known;
    const named = namedFields({ definitions, kind, own, kept });
    const form = withFields(
      toForm(named),
      Object.fromEntries(named.map(({ name, field }) => [name, field])),
    ) as unknown as Made;
    shown.set(form, { definitions, kind, own, kept });
    made.forms.set(key, form);
    return form;
  };

  return (context: Context & Typed): Awaitable<Made> => {
    // A page reads the revision, and with it that of the definitions, before it makes its form. A form that was sent
    // from a page without any of these fields, when there were none, needs no query: it was sent before there are any.
    const isSent = context.request.method === 'POST';
    return andThen(items.definitions.known(), (known) => {
      const needsMore = isSent && (known.revision !== '' || context.shownFields !== null);
      return andThen(needsMore ? items.definitions.read() : known, (now) => make(now, context));
    });
  };
}

interface NamedField {
  readonly name: 'kind' | OwnName;
  readonly label: string;
  readonly field: Field<number | ''> | OwnFormField;
}

function namedFields({ definitions, kind, own, kept }: ShownFields): readonly NamedField[] {
  const kinds = kindField(definitions, kind);
  return [
    ...(kinds === null ? [] : [{ name: 'kind' as const, label: 'Kind', field: kinds }]),
    ...own.map(({ name, label, field }) => ({ name, label, field })),
    ...kept.map(({ name, label, optional }) => ({ name, label, field: optional })),
  ];
}

/** With the removed kind that a thing still has. Null if there is none. */
function kindField({ kinds, allKinds }: Definitions, chosen: number | null) {
  const own = chosen === null ? undefined : allKinds.get(chosen);
  const choices = [...kinds, ...(own?.removed ? [own] : [])];
  if (choices.length === 0) return null;
  return choiceField({
    label: 'Kind',
    hint: 'What it is. Each kind has fields of its own.',
    choices: choices.map(({ id, name }) => ({ value: id, label: name })),
    update: 'Use this kind',
  });
}

function toKind({ allKinds }: Definitions, text: string | null): number | null {
  const id = Number(text);
  return text !== null && allKinds.has(id) ? id : null;
}

/** The names of these fields in the form. */
export function ownNames(form: {
  readonly definition: { readonly added: readonly string[] };
}): readonly ('kind' | OwnName)[] {
  return form.definition.added as readonly ('kind' | OwnName)[];
}

const NOTHING = { kind: null, own: NO_VALUES };

/** What a form with these fields says of the thing. */
export function toOwnInput(
  values: { readonly kind?: number | '' } & Readonly<Record<OwnName, OwnValue | undefined>>,
  names: readonly ('kind' | OwnName)[],
): Pick<ItemInput, 'kind' | 'own'> {
  if (names.length === 0) return NOTHING;
  const own = names.flatMap((name) =>
    name === 'kind' ? [] : [[name.slice(4), values[name] ?? ''] as const],
  );
  const kind = values.kind || null;
  return { kind, own: own.length === 0 ? NO_VALUES : withoutEmpty(Object.fromEntries(own)) };
}

/** The texts of these fields, as a form shows them. */
export function toOwnText(
  { allFields }: Definitions,
  { kind, own }: Pick<ItemInput, 'kind' | 'own'>,
): Readonly<Record<string, OwnValue>> {
  const texts = Object.entries(own).flatMap(([id, value]) => {
    const field = allFields.get(Number(id));
    return field === undefined || field.removed ? [] : [[field.name, field.field.toText(value)]];
  });
  return { ...(kind === null ? {} : { kind: String(kind) }), ...Object.fromEntries(texts) };
}

/** As people read it: the name of the kind, or the value of a field. */
export function showOwn(
  { allKinds, allFields }: Definitions,
  name: 'kind' | OwnName,
  { kind, own }: Pick<ItemInput, 'kind' | 'own'>,
): string {
  if (name === 'kind') return kind === null ? '' : (allKinds.get(kind)?.name ?? '');
  const field = allFields.get(Number(name.slice(4)));
  return field === undefined ? '' : showOwnValue(field, own[field.id]);
}

/** The answer to a form whose fields were changed while it was sent: the next time it has the new ones. */
export const FIELDS_CHANGED = {
  errors: [
    {
      field: null,
      message:
        'The fields of this form were changed just now. Check what you entered, and send it again',
    },
  ],
  status: 409,
} as const;

/**
 * Whether the definitions are no longer those that the form was made of. Ask after the change of the item: from then on
 * nobody else can change them before the transaction ends.
 */
export function areFieldsChanged(
  transaction: KyselyTransaction,
  form: { readonly definition: object },
): Awaitable<boolean> {
  const { definitions } = shownFields(form) ?? {};
  if (definitions === undefined) return false;
  const find = transaction.selectFrom('revisions').select('fields').where('name', '=', 'items');
  return find.executeTakeFirst().then((row) => row?.fields !== definitions.revision);
}
