/**
 * The answers to one step, as the page of all answers lists them: GOV.UK's summary list.
 */

import { bindForm } from '../form/bound-part.ts';
import { cutText, lengthToFit } from '../form/cut-text.ts';
import { type ListedField, listFields } from '../form/list-fields.ts';
import type { Href } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import type { Language } from '../language/language.ts';
import type { Behind } from '../site/form-page.ts';
import { fillAnswer, type ReachedStep } from './steps.ts';

/** In the query of the page of a step: the path of a field whose file is sent instead, and which one of several. */
export const FILE = 'file';
export const AT = 'at';
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
    answers: listFields(bindForm(fillAnswer(one, language)), language).map(toAnswer(language)),
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
      const toFile = (at: number) => toStep(step.name, at === 0 ? query : `${query}&${AT}=${at}`);
      return drawAnswer(answer, { change, toFile, maxLength, language });
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
  /** The link that a file is, by its place in its field. */
  readonly toFile: (at: number) => Href;
  readonly maxLength: number;
  readonly language: Language;
}

function drawAnswer(
  { label, path, text, texts, hasFile }: Answer,
  { change, toFile, maxLength, language: { words } }: DrawnAnswer,
): Html {
  const shown = cutText(text, maxLength);
  const note = shown.length < text.length ? html`<br>${words.onlyFirst(shown.length)}` : null;
  const lines = !hasFile
    ? toLines(shown)
    : (texts ?? [shown]).map(
        (one, at) => html`${at === 0 ? null : html`<br>`}<a href="${toFile(at)}">${one}</a>`,
      );
  return html`<div>
<dt>${label}</dt>
<dd>${lines}${note}</dd>
<dd><a href="${change}#${path}">${words.change}<span class="visually-hidden"> ${label}</span></a></dd>
</div>
`;
}

function toLines(text: string): readonly Html[] {
  return text.split('\n').map((line, at) => html`${at === 0 ? null : html`<br>`}${line}`);
}

interface Answer extends Omit<ListedField, 'kind'> {
  readonly hasFile: boolean;
}

const toAnswer =
  ({ words }: Language) =>
  ({ kind, text, ...field }: ListedField): Answer => ({
    ...field,
    text: text || (kind === 'rows' ? words.noRows : words.notAnswered),
    hasFile: kind === 'file' && text !== '',
  });
