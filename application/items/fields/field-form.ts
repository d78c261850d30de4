/**
 * The form of a field of the team's own: to add one, and to change one, whose kind of value is fixed. What only some
 * kinds of values have, such as the choices, is revealed by the kind that is chosen.
 */
import { defineForm, type FormValues } from 'seeother';
import {
  checkboxField,
  choiceField,
  choiceGroup,
  hiddenField,
  rows,
  textField,
} from 'seeother/fields';
import type { Definitions, OwnField } from '../../own-fields/definitions.ts';
import { MAX_CHOICES, MAX_LABEL, toChoices } from '../../own-fields/label-rules.ts';
import type { OwnFieldDefinition, OwnFieldKind } from '../../own-fields/own-field.ts';

const choices = rows({
  label: 'Choices',
  hint: 'In the order in which forms offer them.',
  name: 'Choice',
  fields: {
    id: hiddenField({ inDraft: true }),
    label: textField({ label: 'Name', required: 'Enter the choice', maxLength: MAX_LABEL }),
  },
  min: 1,
  max: MAX_CHOICES,
  default: 2,
  ordered: true,
});

const unit = textField({
  label: 'Unit',
  hint: 'Such as kg or mm. Leave it empty for a number alone.',
  maxLength: 20,
});

const currency = textField({
  label: 'Currency',
  hint: 'Three letters, such as EUR or USD.',
  required: 'Enter the currency',
  maxLength: 3,
  pattern: { matches: /^[A-Za-z]{3}$/, message: 'Currency must be three letters, such as EUR' },
  attributes: { autocapitalize: 'characters', spellcheck: 'false' },
});

/** By the names of the form, which are those of fields. */
const VALUES = {
  text: { label: 'Text', hint: 'One line: a manufacturer, a model.' },
  long: { label: 'Long text', hint: 'Several lines, such as notes on care.' },
  number: { label: 'Number', hint: 'A weight or a length, with its unit.', fields: { unit } },
  money: { label: 'Money', hint: 'A price or a deposit.', fields: { currency } },
  date: { label: 'Date', hint: 'When it was bought, or its warranty ends.' },
  one: { label: 'Choice', hint: 'One of several, such as its condition.', fields: { choices } },
  several: { label: 'Several choices', hint: 'As many as apply.', fields: { choices } },
  yesno: { label: 'Yes or no', hint: 'Such as whether it was tested.' },
  link: { label: 'Link', hint: 'An address on the web.' },
  person: { label: 'Person', hint: 'Who looks after it.' },
} as const;

type ValueName = keyof typeof VALUES;

const KIND_OF: Readonly<Record<ValueName, OwnFieldKind>> = {
  ...{ text: 'text', long: 'long text', number: 'number', money: 'money', date: 'date' },
  ...{ one: 'choice', several: 'choices', yesno: 'yes or no', link: 'link', person: 'person' },
};

const NAME_OF = Object.fromEntries(
  Object.entries(KIND_OF).map(([name, kind]) => [kind, name]),
) as Readonly<Record<OwnFieldKind, ValueName>>;

/** What pages call the kind of value. */
export function valueName(kind: OwnFieldKind): string {
  return VALUES[NAME_OF[kind]].label;
}

/** With a field, the form to change it. */
export function toFieldForm({ kinds }: Definitions, field: OwnField | null) {
  const offered = (
    field === null ? VALUES : { [NAME_OF[field.kind]]: VALUES[NAME_OF[field.kind]] }
  ) as typeof VALUES;
  return defineForm({
    label: textField({
      label: 'Name',
      hint: 'Such as “Purchase price”.',
      required: 'Enter a name',
      maxLength: MAX_LABEL,
    }),
    value: choiceGroup({
      label: 'Kind of value',
      required: 'Choose a kind of value',
      choices: offered,
    }),
    hint: textField({
      label: 'Hint',
      hint: 'What forms say below the name.',
      maxLength: 200,
    }),
    of: choiceField({
      label: 'For',
      required: 'Choose what has the field',
      choices: [
        { value: 'all', label: 'All things' },
        ...kinds.map(({ id, name }) => ({ value: String(id), label: name })),
      ],
    }),
    required: checkboxField({ label: 'Required in forms' }),
    inList: checkboxField({
      label: 'Shown in the list',
      hint: 'To everybody who has not chosen other columns.',
    }),
    searched: checkboxField({ label: 'Found by the search' }),
    /** The version that the form shows. */
    version: hiddenField({ revision: true }),
  });
}

export type FieldFormFields = ReturnType<typeof toFieldForm>['fields'];
export type FieldFormValues = FormValues<FieldFormFields>;

/** Of the form that changes the field. */
export function toFieldText(field: OwnField) {
  const offered = field.choices
    .filter(({ removed }) => removed !== true)
    .map(({ id, label }) => ({ id, label }));
  const name = NAME_OF[field.kind];
  const { label, unit, hint, itemKind, required, inList, searched, version } = field;
  const tick = (isTicked: boolean) => (isTicked ? 'on' : '');
  return {
    ...{ label, hint, version: String(version) },
    value: {
      choice: name as string,
      ...(name === 'number' ? { number: { unit } } : {}),
      ...(name === 'money' ? { money: { currency: unit } } : {}),
      ...(name === 'one' || name === 'several' ? { [name]: { choices: offered } } : {}),
    },
    of: itemKind === null ? 'all' : String(itemKind),
    ...{ required: tick(required), inList: tick(inList), searched: tick(searched) },
  };
}

/** `known` is the field to change; its choices that are not typed any more stay, as removed. */
export function toDefinition(values: FieldFormValues, known: OwnField | null): OwnFieldDefinition {
  const { label, value, hint, of, required, inList, searched } = values;
  return {
    kind: KIND_OF[value.choice],
    ...{ label, hint, required, inList, searched },
    unit:
      value.choice === 'number'
        ? value.unit
        : value.choice === 'money'
          ? value.currency.toUpperCase()
          : '',
    choices:
      value.choice === 'one' || value.choice === 'several'
        ? toChoices(value.choices, known?.choices)
        : [],
    itemKind: of === 'all' ? null : Number(of),
  };
}
