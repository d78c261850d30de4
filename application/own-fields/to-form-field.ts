/**
 * The field of a form for a definition: one of the framework's own, whose value is the text that is stored. So its
 * limits, messages and control are those of every form, and `parse` of it also reads the cells of a file.
 */
import {
  choiceField,
  choicesField,
  dateField,
  decimalField,
  type Field,
  moneyField,
  problem,
  textField,
  urlField,
} from 'seeother/fields';
import { english } from 'seeother/languages';
import { andThen } from 'seeother/middleware';
import { choicesOf, type OwnChoice, type OwnFieldDefinition, type OwnValue } from './own-field.ts';

export type OwnFormField = Field<OwnValue, OwnValue>;

/** What a form needs of a definition. */
type Formed = Pick<OwnFieldDefinition, 'kind' | 'label' | 'hint' | 'required' | 'unit' | 'choices'>;

export const MAX_OWN_TEXT = 200;
/** The id of the `<datalist>` with names of people. */
export const PEOPLE_LIST = 'own-people';
const SUGGESTED = { list: PEOPLE_LIST, autocomplete: 'off' };
const MAX_OWN_LONG_TEXT = 10_000;

export function toFormField(definition: Formed): OwnFormField {
  const { kind, unit, choices, required } = definition;
  const label =
    unit === '' || kind === 'money' ? definition.label : `${definition.label} (${unit})`;
  const hint = definition.hint === '' ? {} : { hint: definition.hint };
  const need = (sentence: string) => (required ? { required: `${sentence} “${label}”` } : {});
  const typed = { label, ...hint, ...need('Fill in') };
  const chosen = { label, ...hint, ...need('Choose') };
  const offered = choicesOf(definition).map(({ id, label }) => ({ value: id, label }));
  switch (kind) {
    case 'text':
      return toOwn(textField({ ...typed, maxLength: MAX_OWN_TEXT }));
    case 'long text':
      return toOwn(textField({ ...typed, maxLength: MAX_OWN_LONG_TEXT, multiline: true }));
    case 'person':
      return toOwn(textField({ ...typed, maxLength: 120, attributes: SUGGESTED }));
    case 'link':
      return toOwn(urlField({ ...typed, attributes: { autocomplete: 'off' } }));
    case 'date':
      return toOwn(dateField(typed));
    case 'number': {
      const field = decimalField({ ...typed, min: -MOST, max: MOST, step: '0.000001' });
      return readsNumber(toOwn(field, (value) => shorten(String(value))));
    }
    case 'money': {
      const field = moneyField({ ...typed, currency: unit });
      return toOwn(
        field,
        (value) => String(field.toText(value)).replaceAll(',', ''),
        (stored) => stored,
      );
    }
    case 'choice':
    case 'yes or no':
      return withoutRemoved(toOwn(choiceField({ ...chosen, choices: offered })), choices);
    case 'choices':
      return withoutRemoved(toOwn(choicesField({ ...chosen, choices: offered })), choices);
  }
}

const MOST = 1_000_000_000_000;

/** The field would show a number with all its decimals as an example. */
function readsNumber(field: OwnFormField): OwnFormField {
  return {
    ...field,
    parse(text, given) {
      const { words, translate, parseDecimal } = given?.language ?? english;
      const isOdd = typeof text === 'string' && text.trim() !== '' && parseDecimal(text) === null;
      if (isOdd) return problem(words.noNumber(translate(field.label), '12.5'));
      return field.parse(text, given);
    },
  };
}

/** `12.500000` is `12.5`. */
function shorten(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}

/** A field whose values are what is stored. */
function toOwn<Value, Text extends OwnValue>(
  field: Field<Value, Text>,
  toStored: (value: Value & {}) => OwnValue = (value) =>
    Array.isArray(value) ? value : String(value),
  fill: (stored: OwnValue) => OwnValue = (stored) => field.toText(stored as Value),
): OwnFormField {
  return {
    ...field,
    parse: (text, given) =>
      andThen(field.parse(text as Text, given), (parsed) =>
        parsed.ok
          ? { ok: true, value: parsed.value == null ? '' : toStored(parsed.value) }
          : parsed,
      ),
    toText: (stored) => (stored.length === 0 ? field.default : fill(stored)),
  } as OwnFormField;
}

/** A choice that was removed is accepted from a thing that has it, and offered to no other. */
function withoutRemoved(field: OwnFormField, choices: readonly OwnChoice[]): OwnFormField {
  const removed = new Set(choices.flatMap(({ id, removed }) => (removed ? [id] : [])));
  const { draw } = field;
  if (removed.size === 0 || draw === null) return field;
  return {
    ...field,
    draw(control) {
      const kept = new Set([control.text].flat());
      const offered = field.choices.filter(({ value }) => !removed.has(value) || kept.has(value));
      return draw({ ...control, field: { ...control.field, choices: offered } });
    },
  };
}
