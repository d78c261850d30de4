/**
 * A form as a tree of bound parts: each part of its definition with what it holds on this page. Drawing, validating,
 * errors, the buttons of rows and the check of a layout all go through this one tree, so none of them takes a
 * definition apart by hand.
 *
 * The definition of a list has one row; the bound list has as many as the form. A choice that reveals fields has two
 * kinds of parts within it: the choice itself, which is sent under the path of the whole, and the fields of each
 * choice.
 */
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import { cutText } from './cut-text.ts';
import {
  type ChoiceGroup,
  type ChoiceList,
  type Fields,
  type Part,
  type Row,
  type Rows,
  type SomeFields,
  stepInto,
  type TextNode,
  type TextTree,
} from './field-set.ts';
import { isPasteName } from './paste-fields.ts';
import type { SentTree } from './sent.ts';

/** A form whose parts are bound. */
export interface Bindable {
  readonly definition: SomeFields;
  readonly text: unknown;
  readonly language?: Language;
  readonly errors?: readonly { readonly field: string | null; readonly message: string }[];
}

const bound = new WeakMap<Bindable, BoundPart>();

/** The whole form as one part, whose parts are those of its definition. A page binds its form once. */
export function bindForm(form: Bindable): BoundPart {
  const known = bound.get(form) ?? bindReceived(form, null);
  bound.set(form, known);
  return known;
}

/** The same, with what was received for each part. */
export function bindReceived(form: Bindable, sent: SentTree | null): BoundPart {
  const { definition, text, language = english, errors = [] } = form;
  const messages = new Map<string | null, string>();
  // Of two errors of one field, the first counts.
  for (const { field, message } of errors) if (!messages.has(field)) messages.set(field, message);
  return new BoundPart({ language, messages }, definition, '', '', text as TextNode, sent, null);
}

/** What a form is made with, so that `for` goes through its parts. */
export const WITH_PARTS: ThisType<Bindable> & Iterable<BoundPart> = {
  [Symbol.iterator]() {
    const own = bindForm(this).parts.filter(({ key }) => !isPasteName(key));
    return own[Symbol.iterator]();
  },
};

interface Bound {
  readonly language: Language;
  readonly messages: ReadonlyMap<string | null, string>;
}

/** Characters of the text of a row that names it, in each of its labels. */
const MAX_TITLE_LENGTH = 100;

/** One part of a form and what it holds. The whole form is one too, without a path, a label and an owner. */
export class BoundPart {
  readonly #form: Bound;
  readonly part: Part | Row | SomeFields;
  /** Its name in its owner; of a row, its number, counted from 0. */
  readonly key: string | number;
  /** What it is sent, found and linked to by, such as `participants.0.name`; empty for the whole form. */
  readonly path: string;
  readonly text: TextNode;
  /** Null for a form that was not sent. */
  readonly sent: SentTree | null;
  /** The part that it stands in; null for the whole form. */
  readonly owner: BoundPart | null;
  #parts: readonly BoundPart[] | null = null;

  constructor(
    form: Bound,
    part: BoundPart['part'],
    key: string | number,
    path: string,
    text: TextNode,
    sent: SentTree | null,
    owner: BoundPart | null,
  ) {
    this.#form = form;
    this.part = part;
    this.key = key;
    this.path = path;
    this.text = text;
    this.sent = sent;
    this.owner = owner;
  }

  /** The parts within it, in the order of the definition. */
  get parts(): readonly BoundPart[] {
    this.#parts ??= this.#bindParts();
    return this.#parts;
  }

  #bindParts(): readonly BoundPart[] {
    const { part, text } = this;
    switch (part.part) {
      case 'field':
        return [];
      case 'rows':
        return (text as readonly TextTree[]).map((_, at) => this.#bind(part.row, at));
      case 'choices':
        return [this.choice, ...Object.keys(part.sets).map((value) => this.at(value) as BoundPart)];
      default:
        return part.names.map((name) => this.#bind(part.fields[name] as Part, name));
    }
  }

  /** The part within it with this name or number; null if there is none. */
  at(key: string | number): BoundPart | null {
    const part = stepInto(this.part, `${key}`);
    if (part === null || part === 'no index' || part.part === 'input') return null;
    const isThere = (this.text as TextTree)[key] !== undefined;
    return isThere ? this.#bind(part, part.part === 'row' ? Number(key) : key) : null;
  }

  /** Of a choice that reveals fields: the choice. */
  get choice(): BoundPart {
    const { choice } = this.part as ChoiceGroup<ChoiceList, unknown>;
    const text = (this.text as TextTree)['choice'] as string;
    return new BoundPart(this.#form, choice, 'choice', this.path, text, this.sent, this);
  }

  /** It, and all parts within it, each before its own. `enter` leaves out what is within a part. */
  all(enter: (one: BoundPart) => boolean = () => true): readonly BoundPart[] {
    const found: BoundPart[] = [];
    const add = (one: BoundPart): void => {
      found.push(one);
      if (enter(one)) one.parts.forEach(add);
    };
    add(this);
    return found;
  }

  /** The texts of the whole form, with another text for this part. */
  replace(text: TextNode): TextTree {
    if (this.owner === null) return text as TextTree;
    const { owner, key } = this;
    const own = owner.text as TextTree | readonly TextTree[];
    return owner.replace(
      Array.isArray(own) ? own.with(key as number, text) : { ...own, [key]: text },
    );
  }

  /** For people: the name of a row is its title, or its number counted from 1. Empty for the whole form. */
  get label(): string {
    const { translate, formatNumber } = this.#form.language;
    const { part } = this;
    if (part.part === 'set') return '';
    if (part.part === 'choices') return translate(part.choice.label);
    if (part.part !== 'row') return labelOf(part, this.#form.language);
    return this.title || `${translate(this.rows.name)} ${formatNumber((this.key as number) + 1)}`;
  }

  /** Of a row: the list that it is one of. */
  get rows(): Rows<Fields, unknown> {
    return (this.owner as BoundPart).part as Rows<Fields, unknown>;
  }

  /** Of a row: the text that names it; empty without one. */
  get title(): string {
    const { title } = this.rows;
    return title === null
      ? ''
      : cutText((this.text as TextTree)[title] as string, MAX_TITLE_LENGTH);
  }

  /** The message for the user; null without an error. */
  get error(): string | null {
    return this.#form.messages.get(this.path) ?? null;
  }

  /** The parts that it stands in, the outermost first, without the whole form. */
  get owners(): readonly BoundPart[] {
    const { owner } = this;
    return owner === null || owner.owner === null ? [] : [...owner.owners, owner];
  }

  /** The row that it is or stands in; null for none. */
  get row(): BoundPart | null {
    return this.part.part === 'row' ? this : (this.owner?.row ?? null);
  }

  #bind(part: BoundPart['part'], key: string | number): BoundPart {
    const { path, sent } = this;
    return new BoundPart(
      this.#form,
      part,
      key,
      path === '' ? `${key}` : `${path}.${key}`,
      (this.text as TextTree)[key] as TextNode,
      sent === null ? null : typeof key === 'number' ? (sent.rows[key] ?? null) : sent.get(key),
      this,
    );
  }
}

function labelOf(part: Exclude<Part, { part: 'choices' }>, { translate, words }: Language): string {
  return part.part === 'field' && part.labelIn !== undefined
    ? part.labelIn(words)
    : translate(part.label);
}

/** The part with this path; null if the form has none. */
export function findPart(form: BoundPart, path: string): BoundPart | null {
  let found: BoundPart | null = form;
  for (const step of path.split('.')) {
    found = found.at(step);
    if (found === null) return null;
  }
  return found;
}
