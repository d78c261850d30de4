/**
 * The answers to one step, as the page of all answers lists them: GOV.UK's summary list. Fields within a group or a row
 * are named with it, as in errors: "Participant 2: Name".
 */

import { type FieldText, isFile, isTyped } from '../field/field.ts';
import { type BoundPart, bindForm } from '../form/bound-part.ts';
import { cutText, lengthToFit } from '../form/cut-text.ts';
import { isPasteName } from '../form/paste-fields.ts';
import type { Href } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import type { Language } from '../language/language.ts';
import type { Behind } from '../site/form-page.ts';
import { fillAnswer, type ReachedStep } from './steps.ts';

/** In the query of the page of a step: the path of a field whose file is sent instead. */
export const FILE = 'file';
/** Answers on one page. */
const MAX_LISTED = 1_000;

interface ListOptions {
  /** The page of a step, with a query. */
  readonly toStep: (name: string, query: string) => Href;
  /** HTML behind the answers to a step, by its name. */
  readonly behind: Behind;
  readonly language: Language;
}

/**
 * The answers of all steps. The page has a limited length: all texts share 65,536 characters, see cut-text.ts, and
 * after a thousand answers their number is given.
 */
export function listAnswers(
  reached: readonly ReachedStep[],
  { toStep, behind, language }: ListOptions,
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
    const change = toStep(step.name, '?change');
    const drawn = listed.map((answer) => {
      const query = `?${FILE}=${encodeURIComponent(answer.path)}`;
      const file = answer.hasFile ? toStep(step.name, query) : null;
      return drawAnswer(answer, { change, file, maxLength, language });
    });
    return html`<h2>${translate(step.title)}</h2>
<dl class="answers">
${drawn}</dl>
${behind[step.name] ?? null}`;
  });
  const more = all.length - MAX_LISTED;
  return html`${drawn}${more > 0 ? html`<p class="hint">${words.moreAnswers(more)}</p>\n` : null}`;
}

interface DrawnAnswer {
  readonly change: Href;
  /** The link that the answer is; null for text. */
  readonly file: Href | null;
  readonly maxLength: number;
  readonly language: Language;
}

function drawAnswer(
  { label, path, text }: Answer,
  { change, file, maxLength, language: { words } }: DrawnAnswer,
): Html {
  const shown = cutText(text, maxLength);
  const note = shown.length < text.length ? html`<br>${words.onlyFirst(shown.length)}` : null;
  const lines = toLines(shown);
  return html`<div>
<dt>${label}</dt>
<dd>${file === null ? lines : html`<a href="${file}">${lines}</a>`}${note}</dd>
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
  readonly hasFile: boolean;
}

function answersOf(form: BoundPart, language: Language): readonly Answer[] {
  const { words } = language;
  return form.all(isChosen).flatMap((one) => {
    const { part, path, text } = one;
    const label = ownersOf(one, language) + one.label;
    if (part.part === 'rows')
      return one.parts.length === 0 ? [{ label, path, text: words.noRows, hasFile: false }] : [];
    if (part.part !== 'field' || !isTyped(part) || part.isSecret || isPasteName(one.key)) return [];
    const shown = part.show(text as FieldText, { language });
    const hasFile = isFile(part) && shown !== '';
    return [{ label, path, text: shown || words.notAnswered, hasFile }];
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
