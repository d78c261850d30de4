/**
 * The answers to one step, as the page of all answers lists them: GOV.UK's summary list. Fields within a group or a row
 * are named with it, as in errors: "Participant 2: Name".
 */

import { type AnyField, type FieldText, isSecret, isTyped, type Parsed } from '../field/field.ts';
import { parseFileText } from '../field/file-text.ts';
import { cutText, lengthToFit } from '../form/cut-text.ts';
import type { AnySet, Part } from '../form/field-set.ts';
import type { TextNode, TextTree } from '../form/fill-text.ts';
import { fillSent } from '../form/read-form.ts';
import { rowName, rowTitle } from '../form/validate-form.ts';
import type { Href } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import type { Language } from '../language/language.ts';
import type { ReachedStep, Step } from './steps.ts';

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
  const lists = reached.map(({ step, form, entries }) => {
    const { text } = fillSent(form, entries ?? [], language);
    return { step, answers: listSet(form, text as TextTree, { path: '', owner: '', language }) };
  });
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

/** Where a part stands. */
interface Place {
  /** Empty, or with a dot at its end. */
  readonly path: string;
  /** The name of the group or the row, with a colon. */
  readonly owner: string;
  readonly language: Language;
}

function listSet({ fields, names }: AnySet, texts: TextTree, place: Place): readonly Answer[] {
  return names.flatMap((name) =>
    listPart(fields[name] as Part, texts[name] as TextNode, `${place.path}${name}`, place),
  );
}

function listPart(part: Part, text: TextNode, path: string, place: Place): readonly Answer[] {
  const { owner, language } = place;
  const { translate, words } = language;
  const answer = (field: AnyField, own: TextNode | undefined) => ({
    label: `${owner}${translate(field.label)}`,
    path,
    text: toShown(field, own as FieldText, language),
  });
  const within = (set: AnySet, texts: TextNode | undefined, step: string, name: string) =>
    listSet(set, texts as TextTree, {
      ...place,
      path: `${path}${step}.`,
      owner: `${owner}${name}`,
    });
  switch (part.part) {
    case 'field':
      return isTyped(part) && !isSecret(part) ? [answer(part, text)] : [];
    case 'group':
      return within(part, text, '', words.inRow(translate(part.label), ''));
    case 'rows': {
      const rows = text as readonly TextTree[];
      if (rows.length === 0)
        return [{ label: `${owner}${translate(part.label)}`, path, text: words.noRows }];
      return rows.flatMap((row, at) =>
        within(
          part,
          row,
          `.${at}`,
          words.inRow(rowName(part, at, rowTitle(part, row), language), ''),
        ),
      );
    }
    case 'choices': {
      const texts = text as TextTree;
      const chosen = texts['choice'] as string;
      const set = Object.hasOwn(part.sets, chosen) ? part.sets[chosen] : undefined;
      const inside = set === undefined ? [] : within(set, texts[chosen], `.${chosen}`, '');
      return [answer(part.choice, chosen), ...inside];
    }
  }
}

/** The text as people read it: a picker of dates shows another text than it sends. */
function toShown(field: AnyField, text: FieldText, language: Language): string {
  const { formatList, formatSize, translate, words } = language;
  const { attributes, choices, control } = field;
  if (control === 'checkbox') return text === '' ? words.notTicked : words.ticked;
  if (typeof text !== 'string' && text.length > 1)
    return formatList(text.map((one) => toShown(field, one, language)));
  const one = [text].flat()[0] ?? '';
  if (one === '') return words.notAnswered;
  if (control === 'file') {
    const { name, size } = parseFileText(one);
    return `${name}, ${formatSize(size)}`;
  }
  const chosen = choices.find(({ value }) => value === one);
  if (chosen !== undefined) return translate(chosen.label);
  return DATED.has(attributes['type'] ?? control) ? showDate(field, one, language) : one;
}

const DATED = new Set(['date', 'time', 'datetime-local', 'date-time']);

/** A date, a time, or both with a zone behind them. Other text stays as it was typed. */
function showDate(field: AnyField, typed: string, language: Language): string {
  const parsed = field.parse(typed, { language }) as Parsed<unknown>;
  const sent = parsed.ok ? field.toText(parsed.value, { language }) : typed;
  const [, day, time, zone] = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d)?(?:\[(.*)\])?$/.exec(sent) ?? [];
  if (!parsed.ok || (day === undefined && time === undefined)) return typed;
  const shown = [day && language.formatDate(day), time && language.formatTime(time), zone];
  return shown.filter(Boolean).join(' ');
}
