/**
 * Several inputs that make one field, such as the day, the month and the year of a date. Each has a label, and is sent
 * by the name of the field, a dot, and its own. The first wrong one has the name of the field for its id, so that the
 * error summary links to it.
 */
import { type Html, html } from '../http/html.ts';
import { type Attributes, writeAttributes } from './attributes.ts';
import type { DrawnControl } from './field.ts';

export interface DrawnInput {
  readonly name: string;
  readonly label: string;
  readonly attributes?: Attributes;
  /** With these, it is a `<select>`. */
  readonly choices?: readonly string[];
}

/** `wrong` has the names of the inputs that caused the error; by default it is the first one. */
export function drawInputs(
  { field, name, text, attributes, hasError }: DrawnControl,
  inputs: readonly DrawnInput[],
  wrong: readonly string[] = [],
): Html {
  const texts = field.inputs?.split(text) ?? [];
  const target = inputs.find((one) => wrong.includes(one.name)) ?? inputs[0];
  const drawn = inputs.map((one) => {
    const { autofocus, ...others } = attributes;
    const own = {
      id: one === target ? name : `${name}-${one.name}`,
      name: `${name}.${one.name}`,
      ...(hasError && (one === target || wrong.includes(one.name))
        ? { 'aria-invalid': 'true' }
        : {}),
      ...(one === target && autofocus === true ? { autofocus } : {}),
    };
    const value = texts[field.inputs?.names.indexOf(one.name) ?? 0] ?? '';
    const control =
      one.choices === undefined
        ? html`<input${writeAttributes({ type: 'text', ...others, ...one.attributes, ...own, value })}>`
        : html`<select${writeAttributes(own)}>\n${one.choices.map((choice) => html`<option${writeAttributes({ value: choice, selected: choice === value })}>${choice}</option>\n`)}</select>`;
    return html`<div class="input">\n<label for="${own.id}">${one.label}</label>\n${control}\n</div>\n`;
  });
  return html`<div class="inputs">\n${drawn}</div>`;
}
