/**
 * The answers to one step, as the page of all answers lists them: GOV.UK's summary list. Fields within a group or a row
 * are named with it, as in errors: "Participant 2: Name".
 */
import { type AnyField, type FieldText, isSecret, isTyped } from '../form/field.ts';
import type { AnySet, Part } from '../form/field-set.ts';
import type { TextNode, TextTree } from '../form/fill-text.ts';
import { fillSent } from '../form/read-form.ts';
import { rowName } from '../form/validate-form.ts';
import type { Href } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { type ReachedStep, toEntries } from './steps.ts';

/** `change` is the page where they can be changed. */
export function listAnswers({ step, form, sent }: ReachedStep, change: Href): Html {
  const { text } = fillSent(form, toEntries(sent ?? []));
  const drawn = listSet(form, text as TextTree, '', '').map(
    ({ label, path, text }) => html`<div>
<dt>${label}</dt>
<dd>${toLines(text)}</dd>
<dd><a href="${change}#${path}">Change<span class="visually-hidden"> ${label}</span></a></dd>
</div>
`,
  );
  return html`<h2>${step.title}</h2>\n<dl class="answers">\n${drawn}</dl>\n`;
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

/** `owner` is the name of the group or the row, with a colon. */
function listSet({ fields, names }: AnySet, texts: TextTree, path: string, owner: string) {
  return names.flatMap((name) =>
    listPart(fields[name] as Part, texts[name] as TextNode, `${path}${name}`, owner),
  );
}

function listPart(part: Part, text: TextNode, path: string, owner: string): readonly Answer[] {
  switch (part.part) {
    case 'field':
      if (!isTyped(part) || isSecret(part)) return [];
      return [{ label: `${owner}${part.label}`, path, text: toShown(part, text as FieldText) }];
    case 'group':
      return listSet(part, text as TextTree, `${path}.`, `${owner}${part.label}: `);
    case 'rows': {
      const rows = text as readonly TextTree[];
      if (rows.length === 0) return [{ label: `${owner}${part.label}`, path, text: 'None' }];
      return rows.flatMap((row, at) =>
        listSet(part, row, `${path}.${at}.`, `${owner}${rowName(part, at)}: `),
      );
    }
    case 'choices': {
      const { choice, ...sets } = text as TextTree;
      const set = Object.hasOwn(part.sets, choice as string) ? part.sets[choice as string] : null;
      const inside = sets[choice as string] as TextTree;
      const chosen = {
        label: `${owner}${part.choice.label}`,
        path,
        text: toShown(part.choice, choice as FieldText),
      };
      return set ? [chosen, ...listSet(set, inside, `${path}.${choice}.`, owner)] : [chosen];
    }
  }
}

/** The text as the page of the field shows it. */
function toShown({ control, choices }: AnyField, text: FieldText): string {
  if (control === 'checkbox') return text === '' ? 'No' : 'Yes';
  const shown = [text].flat().filter((one) => one !== '');
  if (shown.length === 0) return 'Not answered';
  return shown.map((one) => choices.find(({ value }) => value === one)?.label ?? one).join(', ');
}
