/**
 * The controls of a choice: `<select>`, radio buttons and checkboxes, as in the GOV.UK Design System. The first button
 * has the name of the field for its id, so that the error summary links to it.
 *
 * A submitted value that is not a choice is drawn too, as one that has gone: the page shows what the error is about.
 */
import { type Html, html } from '../http/html.ts';
import type { Language } from '../language/language.ts';
import { type Attributes, writeAttributes } from './attributes.ts';
import type { Choice, DrawnControl } from './field.ts';

export function drawSelect({ field, name, text, attributes, language }: DrawnControl): Html {
  const { translate } = language;
  const blank = field.required && text !== '' ? [] : [{ value: '', label: '' }];
  const options = inGroups(
    [...blank, ...withGone(field.choices, [text], language)],
    ({ value, label }) => {
      return html`<option${writeAttributes({ value, selected: value === text })}>${translate(label)}</option>\n`;
    },
  ).map(({ heading, drawn }) =>
    heading === undefined
      ? drawn
      : html`<optgroup label="${translate(heading)}">\n${drawn}</optgroup>\n`,
  );
  return html`<select${writeAttributes({ id: name, name, ...attributes })}>\n${options}</select>`;
}

export function drawRadios({ field, name, text, attributes, language }: DrawnControl): Html {
  const choices = withGone(field.choices, [text], language);
  return drawButtons(name, choices, language, (value) => ({
    ...attributes,
    type: 'radio',
    checked: value === text,
  }));
}

export function drawCheckboxes({
  field,
  name,
  text,
  attributes,
  language,
}: DrawnControl<readonly string[]>): Html {
  const choices = withGone(field.choices, text, language);
  const chosen = new Set(text);
  return drawButtons(name, choices, language, (value) => ({
    ...attributes,
    type: 'checkbox',
    checked: chosen.has(value),
  }));
}

/** One radio button, with its label and hint, and with what it reveals. */
export function drawButton(
  name: string,
  { value, label, hint }: Choice,
  at: number,
  attributes: Attributes,
  { translate }: Language,
  revealed: Html | null = null,
): Html {
  const id = at === 0 ? name : `${name}-${at + 1}`;
  const described = hint === undefined ? {} : { 'aria-describedby': `${id}-item-hint` };
  const { type = 'radio' } = attributes;
  const own = { type, id, name, value, ...attributes, ...described };
  return html`<div class="choice">
<input${writeAttributes(own)}>
<label for="${id}">${translate(label)}</label>
${hint === undefined ? null : html`<p class="hint" id="${id}-item-hint">${translate(hint)}</p>\n`}${revealed === null ? null : html`<div class="revealed">\n${revealed}</div>\n`}</div>\n`;
}

function drawButtons(
  name: string,
  choices: readonly Choice[],
  language: Language,
  attributesOf: (value: string) => Attributes,
): Html {
  if (choices.length === 0)
    return html`<p class="hint" id="${name}" tabindex="-1">${language.words.noChoicesYet}</p>\n`;
  const drawn = inGroups(choices, (choice, at) =>
    drawButton(name, choice, at, toOwn(attributesOf(choice.value), at), language),
  ).map(({ heading, drawn }) => {
    if (heading === undefined) return drawn;
    const said = language.translate(heading);
    return html`<div role="group" aria-label="${said}">\n<p class="choice-heading" aria-hidden="true">${said}</p>\n${drawn}</div>\n`;
  });
  return html`${drawn}`;
}

/** Only the first button takes the focus. */
function toOwn({ autofocus = false, ...attributes }: Attributes, at: number): Attributes {
  return at === 0 ? { ...attributes, autofocus } : attributes;
}

/** The value of a choice that has gone is often the number of a row, which tells a user nothing. */
function withGone(
  choices: readonly Choice[],
  texts: readonly string[],
  { words }: Language,
): readonly Choice[] {
  const gone = texts.filter((text) => text !== '' && !choices.some(({ value }) => value === text));
  return [...choices, ...gone.map((value) => ({ value, label: words.choiceGone }))];
}

/** Choices with the same heading, one after the other. */
function inGroups(
  choices: readonly Choice[],
  draw: (choice: Choice, at: number) => Html,
): { readonly heading: string | undefined; readonly drawn: Html[] }[] {
  const groups: { readonly heading: string | undefined; readonly drawn: Html[] }[] = [];
  for (const [at, choice] of choices.entries()) {
    const last = groups.at(-1);
    if (last !== undefined && last.heading === choice.group) last.drawn.push(draw(choice, at));
    else groups.push({ heading: choice.group, drawn: [draw(choice, at)] });
  }
  return groups;
}
