/** The errors of templates with a value where escaping does not protect: which template, why, and the remedy. */
import type { PlaceKind, ValuePlace } from './html-places.ts';

/** A value, in the template that an error shows. */
const VALUE = '$' + '{…}';
/** How much of the static text an error shows. */
const SHOWN_BEFORE = 50;
const SHOWN_AFTER = 10;

type Reason = (attribute: string) => string;

const MOVE_TO_DATA = `Write it to data-value="${VALUE}" of an element and read it in a script file, or pass trustedHtml(…)`;

/** Why a value is refused, and the remedy. */
const REASONS: Readonly<Record<PlaceKind, Reason>> = {
  text: () => 'every value may stand there',
  unquoted: (attribute) =>
    `in an attribute without quotes, text can add other attributes. Write ${attribute}="${VALUE}"`,
  quoted: (attribute) =>
    `markup with a quote ends the attribute ${attribute}, so its text can add others. Pass text`,
  betweenAttributes: () =>
    `between attributes, text can add any attribute. Write name="${VALUE}", or pass html\` name="${VALUE}"\``,
  attributeName: () =>
    'text can become another attribute. Write the name in the template, or pass trustedHtml(…)',
  behindName: () =>
    `text can become a part of the name before it. Write a space and name="${VALUE}", or pass html\` name="${VALUE}"\``,
  tagName: () =>
    'text can become another tag. Write the name in the template, or pass trustedHtml(…)',
  code: (attribute) =>
    attribute === 'srcdoc'
      ? 'the text of srcdoc becomes markup, which escaping does not prevent. Pass trustedHtml(…)'
      : `the text of ${attribute} becomes code, which escaping does not prevent. ${MOVE_TO_DATA}`,
  script: () =>
    `the text of a script becomes code, which escaping does not prevent. ${MOVE_TO_DATA}`,
  style: () =>
    'the text of a style sheet becomes rules, which escaping does not prevent. Choose between classes, or pass trustedHtml(…)',
  comment: () =>
    'everybody can read a comment, and browsers do not decode its text. Leave it out, or pass trustedHtml(…)',
  declaration: () => 'escaping does not protect a declaration. Pass trustedHtml(…)',
};

export function refuseValue(
  { kind, attribute }: ValuePlace,
  strings: readonly string[],
  index: number,
): TypeError {
  const before = cutStart(strings.slice(0, index + 1).join(VALUE));
  const after = (strings[index + 1] ?? '').slice(0, SHOWN_AFTER);
  return new TypeError(
    `Cannot put this value into the template \`${before}${VALUE}${after}\`: ${REASONS[kind](attribute)}.`,
  );
}

/** For a template after which a value would no longer stand in text. */
export function refuseOpenEnd(strings: readonly string[]): TypeError {
  return new TypeError(
    `Cannot use the template \`${cutStart(strings.join(VALUE))}\`: it ends inside a tag, a comment, a script or a style sheet, which would go on in what follows. End it in the same template.`,
  );
}

const cutStart = (text: string): string =>
  text.length > SHOWN_BEFORE ? `…${text.slice(-SHOWN_BEFORE)}` : text;
