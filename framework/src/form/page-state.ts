/**
 * Binds the key and the hidden fields of a form to the text that was typed beside them. Firefox puts typed text into a
 * page that it loads again (F5). After Back, every browser puts it into a newer page, if it has stored one of the same
 * address, such as from another tab. The hidden fields are those of the newer page: another key, with which a form that
 * was sent already would count again, or another version of a record.
 *
 * A `<select>` is the one control that browsers restore as it was, also if nobody has touched it: they choose the
 * options with the same values, and lose one that the newer page does not have. So a hidden one says two things:
 *
 * - The key. Each two bits of it are one of four options. The chosen ones are disabled: a page sends nothing, and one
 *   with text of an earlier page sends the options that differ.
 * - The hidden fields, as an option with their hash. A form without it was typed beside others.
 *
 * This needs no script, and no field without `autocomplete`. A form with a revision has no key to restore: a form that
 * was sent has changed the revision.
 */
import { hash } from 'node:crypto';
import { isHidden } from '../field/field.ts';
import { type Html, html, trustedHtml } from '../http/html.ts';
import { ID_LENGTH, isOwnKey } from '../session/form-key.ts';
import { type Bindable, bindForm } from './bound-part.ts';
import type { FilledForm } from './define-form.ts';
import type { Fields } from './field-set.ts';
import type { SentTree } from './sent.ts';

const NAME = '_page';
/** Characters of the hash. Other values are shorter. */
const HASH_LENGTH = 12;

/** A hidden select; null for a form that is only hidden fields and buttons. */
export function pageStateField<F extends Fields>(form: Partial<FilledForm<F>>): Html | null {
  const { definition, once = null } = form;
  if (definition === undefined) return null;
  const { hasTyped, hasState, hasRevision } = definition;
  if (!hasTyped) return null;
  // One option that every page has, and one of these hidden fields.
  const state = hasState
    ? html`<option selected>page<option selected>${hashHidden(form as Bindable)}`
    : null;
  const key = once !== null && !hasRevision && isOwnKey(once) ? keyOptions(once) : null;
  if (state === null && key === null) return null;
  return html`<span hidden><select name="${NAME}" multiple>${state}${key}</select></span>`;
}

function hashHidden(form: Bindable): string {
  const pairs = bindForm(form)
    .all()
    .filter(({ part }) => part.part === 'field' && isHidden(part))
    .map(({ path, text }) => [path, text]);
  return hash('sha256', JSON.stringify(pairs), 'base64url').slice(0, HASH_LENGTH);
}

/**
 * Whether the text of the form was typed on an earlier page than its hidden fields, which differ. False for a program's
 * form.
 */
export function isTypedEarlier(
  { hasState }: { readonly hasState: boolean },
  sent: SentTree,
): boolean {
  const { entries } = sent.get(NAME);
  if (!hasState || entries.length === 0) return false;
  return entries.every(({ text }) => text.length !== HASH_LENGTH);
}

/** The key of the page that the text was typed on: mostly the one that was sent. A forged one is the sender's own. */
export function keyOfText(key: string, sent: SentTree): string {
  const { entries } = sent.get(NAME);
  if (entries.length === 0 || !isOwnKey(key)) return key;
  const digits = Array.from(key.slice(0, ID_LENGTH), (digit) => Number.parseInt(digit, 16));
  for (const { text } of entries) {
    const option = text.length === 1 ? VALUES.indexOf(text) : -1;
    if (option === -1) continue;
    const [at, bits] = [option >> 3, option & 3];
    const digit = digits[at] as number;
    digits[at] = (option & 4) === 0 ? (bits << 2) | (digit & 3) : (digit & 12) | bits;
  }
  const id = digits.map((digit) => digit.toString(16)).join('');
  return id + key.slice(ID_LENGTH);
}

/** One for each option: four for the upper bits of the first digit, four for its lower bits, and so on. */
const VALUES = Array.from({ length: 127 - 33 }, (_, at) => String.fromCharCode(33 + at))
  .filter((value) => !'"&\'<>'.includes(value))
  .slice(0, ID_LENGTH * 8);

/** The options of each digit, by its value: those that are not chosen, and those that are. */
const DIGITS = Array.from({ length: ID_LENGTH }, (_, at) =>
  Array.from({ length: 16 }, (_, digit) => {
    const own = VALUES.slice(at * 8, at * 8 + 8);
    const isChosen = (_: string, one: number) => one === digit >> 2 || one === 4 + (digit & 3);
    const others = own.filter((value, one) => !isChosen(value, one));
    return {
      others: others.map((value) => `<option>${value}`).join(''),
      chosen: own
        .filter(isChosen)
        .map((value) => `<option selected>${value}`)
        .join(''),
    };
  }),
);

/** End tags are left out: they would be half of it. */
function keyOptions(key: string): Html {
  let others = '';
  let chosen = '';
  for (let at = 0; at < ID_LENGTH; at++) {
    const digit = DIGITS[at]?.[Number.parseInt(key.charAt(at), 16)];
    others += digit?.others;
    chosen += digit?.chosen;
  }
  return trustedHtml(`${others}<optgroup label="." disabled>${chosen}`);
}
