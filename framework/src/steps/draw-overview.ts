/**
 * All steps as links, each with what is missing, as in the task list of GOV.UK. It stands on each page, so that a user
 * may go on with another step. A step that depends on answers which are missing cannot be opened yet. The list has no
 * numbers: those of the steps leave out what is not needed.
 */
import type { Href } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import type { Language } from '../language/language.ts';
import type { Progress, Step, StepState } from './steps.ts';

interface OverviewOptions {
  /** The step of this page; null for that of all answers. */
  readonly current: Step | null;
  /** The page of a step, or with null that of all answers. Null before the answers have an address. */
  readonly toPage: (step: Step | null) => Href | null;
  readonly language: Language;
}

export function drawOverview(
  list: readonly Step[],
  { states, open }: Progress,
  { current, toPage, language }: OverviewOptions,
): Html {
  const { words, translate } = language;
  const toLine = (step: Step | null, title: string, state: StepState) => {
    const isOpen = state === 'done' || state === 'missing';
    const path = step !== current && isOpen ? toPage(step) : null;
    const here = step === current ? html`<strong aria-current="step">${title}</strong>` : title;
    const name = path === null ? here : html`<a href="${path}">${title}</a>`;
    return html`<li class="step-${state}">${name} <span class="hint">${words.stepStates[state]}</span></li>\n`;
  };
  const lines = list.map((step, at) =>
    toLine(step, translate(step.title), states[at] ?? 'waiting'),
  );
  const last = toLine(null, words.checkAnswers, open === null ? 'missing' : 'waiting');
  return html`<nav class="steps" aria-label="${words.allSteps}">\n<ul>\n${lines}${last}</ul>\n</nav>\n`;
}
