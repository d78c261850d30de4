/**
 * The answers to one step, as the page of all answers lists them: GOV.UK's summary list. Fields within a group or a row
 * are named with it, as in errors: "Participant 2: Name".
 */

import { type FieldText, isTyped } from '../field/field.ts';
import { type BoundPart, bindForm } from '../form/bound-part.ts';
import { cutText, lengthToFit } from '../form/cut-text.ts';
import type { Href } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import type { Language } from '../language/language.ts';
import { fillAnswer, type ReachedStep, type Step } from './steps.ts';

/** Answers on one page. */
const MAX_LISTED = 1_000;

/**
 * The answers of all steps. `toChange` is the page where those of a step can be changed. The page has a limited length:
 * all texts share 65,536 characters, see cut-text.ts, and after a thousand answers their number is given.
 */
export function listAnswers(
  reached: readonly ReachedStep[],
  toChange: (step: Step) => Href,
  language: Language,
): Html {
  const { translate, words } = language;
  const lists = reached.map((one) => ({
    step: one.step,
    answers: answersOf(bindForm(fillAnswer(one, language)), language),
  }));
  const all = lists.flatMap(({ answers }) => answers);
  const maxLength = lengthToFit(all.slice(0, MAX_LISTED).map(({ text }) => text));
  let left = MAX_LISTED;
  const drawn = lists.map(({ step, answers }) => {
    const listed = answers.slice(0, left);
    left -= listed.length;
    const change = toChange(step);
    return html`<h2>${translate(step.title)}</h2>
<dl class="answers">
${listed.map((answer) => drawAnswer(answer, change, maxLength, language))}</dl>
`;
  });
  const more = all.length - MAX_LISTED;
  return html`${drawn}${more > 0 ? html`<p class="hint">${words.moreAnswers(more)}</p>\n` : null}`;
}

function drawAnswer(
  { label, path, text }: Answer,
  change: Href,
  maxLength: number,
  { words }: Language,
): Html {
  const shown = cutText(text, maxLength);
  const note = shown.length < text.length ? html`<br>${words.onlyFirst(shown.length)}` : null;
  return html`<div>
<dt>${label}</dt>
<dd>${toLines(shown)}${note}</dd>
<dd><a href="${change}#${path}">${words.change}<span class="visually-hidden"> ${label}</span></a></dd>
</div>
`;
}

function toLines(text: string): readonly Html[] {
  return text.split('\n').map((line, at) => html`${at === 0 ? null : html`<br>`}${line}`);
}

interface Answer {
  readonly label: string;
  /** The id on the page of the step. */
  readonly path: string;
  readonly text: string;
}

function answersOf(form: BoundPart, language: Language): readonly Answer[] {
  const { words } = language;
  return form.all(isChosen).flatMap((one) => {
    const { part, path, text } = one;
    const label = ownersOf(one, language) + one.label;
    if (part.part === 'rows')
      return one.parts.length === 0 ? [{ label, path, text: words.noRows }] : [];
    if (part.part !== 'field' || !isTyped(part) || part.isSecret) return [];
    return [{ label, path, text: part.show(text as FieldText, { language }) || words.notAnswered }];
  });
}

/** The fields that a choice reveals count if it is chosen. */
function isChosen({ part, key, owner }: BoundPart): boolean {
  return part.part !== 'set' || owner === null || owner.choice.text === key;
}

/** The groups and the rows that a field stands in, before its label. */
function ownersOf({ owners }: BoundPart, { words }: Language): string {
  const named = owners.filter(({ part }) => part.part === 'group' || part.part === 'row');
  return named.map(({ label }) => words.inRow(label, '')).join('');
}
