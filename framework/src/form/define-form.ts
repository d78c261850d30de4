/**
 * The definition of a form: its fields by name, each with its label and its parser. Reading,
 * validating, rendering and refilling the form all use this one value.
 */

import { buttonsOf } from '../field/button-field.ts';
import { isFile, isHidden, isTyped } from '../field/field.ts';
import type { Receive } from '../field/received-form.ts';
import { SCHEMA } from '../field/standard-schema.ts';
import { isTicks } from '../field/ticks-field.ts';
import { checkOptions, type OptionKinds } from '../http/check-options.ts';
import type { Html } from '../http/html.ts';
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import { newKey } from '../session/form-key.ts';
import type { SessionUser } from '../session/session.ts';
import { type Bindable, type BoundPart, WITH_PARTS } from './bound-part.ts';
import { fillBlank } from './build-texts.ts';
import {
  type AnySet,
  allFields,
  allParts,
  countSent,
  type FieldPath,
  type FieldSet,
  type Fields,
  type FormText,
  type FormValues,
  type Part,
  type PartialText,
  type SetOptions,
  sumParts,
  toFieldSet,
} from './field-set.ts';
import type { Saving } from './saving.ts';

export type { FieldPath, Fields, FormText, FormValues, PartialText } from './field-set.ts';

/** What is known of a form as a whole. */
interface FormFacts {
  readonly part: 'set';
  /** How many fields it sends at most, with all its rows. */
  readonly maxSent: number;
  /** Whether it has a password, so that no digest of it may be stored. */
  readonly hasSecret: boolean;
  /** How it is received if it has a file; null for text alone. */
  readonly receive: Receive | null;
  /** Whether a user types into it, so that a browser may put its text into another page. */
  readonly hasTyped: boolean;
  /** Whether it has hidden fields beside those that are typed. */
  readonly hasState: boolean;
  /** Whether it has buttons that change nothing but the form: for rows, for files, and to update it. */
  readonly hasChangeButtons: boolean;
  /** Whether one of its hidden fields is a revision. */
  readonly hasRevision: boolean;
  /** Whether some of its rows are filled from a spreadsheet. */
  readonly hasPaste: boolean;
  /** The names of its fields that are known only at run time: see `withFields`. */
  readonly added: readonly string[];
}

/**
 * `V` is the type of the values of a valid form: those of its fields, or the output of its schema.
 */
export interface Form<F extends Fields, V = FormValues<F>> extends FieldSet<F, V>, FormFacts {}

/** Any form: a function that takes it need not know the types of its fields. */
export interface SomeForm extends AnySet, FormFacts {}

/**
 * A form as a page shows it: the text of each field, except passwords. `for (const part of form)` goes through its
 * parts.
 */
export interface FilledForm<F extends Fields> extends Iterable<BoundPart> {
  readonly definition: Form<F, unknown>;
  readonly text: FormText<F>;
  /** What is wrong with it; nothing by default. */
  readonly errors?: readonly FormError<F>[];
  /** That of its request; English by default. Numbers and dates in the texts are written in it. */
  readonly language?: Language;
  /** The idempotency key, see `onlyOnce`; null when the form was sent without one. */
  readonly once: string | null;
  /** What was sent, in its order, for the digest of the form: declared or not, without passwords. */
  readonly sent?: readonly SentField[];
  /**
   * Whether the browser has put the text of an earlier page beside the hidden fields of this one, which differ. Such a
   * form is not carried out: its page shows it again.
   */
  readonly isTypedEarlier?: boolean;
  /**
   * Set if a button changed nothing but the form itself, such as one that adds a row. The page shows the form again,
   * with the focus on the part with this path, and nothing is validated or carried out.
   */
  readonly focus?: string | null;
  /** What was just read from a spreadsheet; see the option `paste` of `rows`. */
  readonly filled?: FilledRows | null;
  /** Where its page sends it: `?send`, with the query of the page, by default. */
  readonly action?: string;
  /** The tag of the script that checks it while one types; null without one. */
  readonly script?: Html | null;
  /** False for a form whose fields are all optional, such as filters: its labels do not say so. */
  readonly marksOptional?: false;
  /** What a button changed that is no part of the form, such as `save`. */
  readonly change?: string;
  /** When what the page has shown was saved, in ISO 8601; empty if it was not. */
  readonly savedAt?: string;
  /** Of a form that is saved while one types; null for any other. */
  readonly saving?: Saving | null;
}

/** Rows that were added from a spreadsheet. */
export interface FilledRows {
  /** The path of the rows. */
  readonly path: string;
  /** What their page says of them: sentences without a full stop. */
  readonly said: readonly string[];
}

/** Any filled form. */
export interface SomeFilledForm
  extends Bindable,
    Pick<
      FilledForm<Fields>,
      'once' | 'sent' | 'focus' | 'filled' | 'action' | 'script' | 'saving' | 'marksOptional'
    > {
  readonly definition: SomeForm;
}

/** What `formTitle` and `errorSummary` need of a form. */
export type AnyFilledForm = Pick<FilledForm<Fields>, 'errors' | 'language' | 'focus'>;

/** A field as it was sent. */
export interface SentField {
  readonly name: string;
  /** Empty for a password. Of a file, its name. */
  readonly text: string;
  /** Of the content of a file, in hexadecimal. */
  readonly sha256?: string;
}

/** What is wrong with a form, for its user to read. */
export interface FormError<F extends Fields> {
  /** The path of the part; null for an error of the whole form or of a hidden field. */
  readonly field: (FieldPath<F> & string) | null;
  readonly message: string;
  /** The row that the field stands in, such as `Participant 2`. */
  readonly row?: string;
}

export type Validation<F extends Fields, V = FormValues<F>> = ValidForm<F, V> | RefusedForm<F>;

export interface ValidForm<F extends Fields, V = FormValues<F>> {
  readonly valid: true;
  readonly values: V;
  /** As in `RefusedForm`. */
  readonly parsed?: Partial<FormValues<F>>;
}

export interface RefusedForm<F extends Fields> {
  readonly valid: false;
  /** At most one per field, in the order of the fields; then those of the whole form. */
  readonly errors: readonly FormError<F>[];
  /** The values of the fields that are valid, before the schema of the form. */
  readonly parsed?: Partial<FormValues<F>>;
}

/** The errors of a form; empty when it is valid or was not sent yet. */
export function errorsOf<F extends Fields>(
  validation: Validation<F, unknown> | undefined,
): readonly FormError<F>[] {
  return validation?.valid === false ? validation.errors : [];
}

const FORM_KINDS = { schema: SCHEMA } satisfies OptionKinds<SetOptions<Fields, unknown, unknown>>;

/**
 * Defines a form once, for its page, its parsing and its messages. The schema gets the values of all
 * fields; its output becomes the values of the form. Throws a `TypeError` for a name that is not like
 * `quantity`, `firstName` or `first_name`, and for two names that differ in capitals and underscores alone.
 * Names that start with `_` are reserved for the framework.
 */
export function defineForm<const F extends Fields, Input = FormValues<F>, V = FormValues<F>>(
  fields: F,
  options: SetOptions<F, Input, V> = {},
): Form<F, V> {
  checkOptions('defineForm', options, FORM_KINDS);
  const set = toFieldSet<F, V>('a form', { fields, schema: options.schema ?? null });
  checkButtons(set);
  const all = allFields(set);
  const hasTyped = all.some(isTyped);
  return {
    ...set,
    maxSent: sumParts(set, countSent),
    hasSecret: all.some(({ isSecret }) => isSecret),
    receive: all.find(({ receive }) => receive !== undefined)?.receive ?? null,
    hasTyped,
    hasState: hasTyped && all.some(isHidden),
    hasChangeButtons: allParts(set).some(hasChangeButtons),
    hasRevision: all.some(({ isRevision }) => isRevision),
    hasPaste: allParts(set).some((part) => part.part === 'rows' && part.paste !== null),
    added: [],
  };
}

function hasChangeButtons(part: Part): boolean {
  if (part.part === 'rows') return !part.fixed;
  return (
    part.part === 'field' &&
    (isFile(part) || isTicks(part) || part.update !== null || part.addNew !== undefined)
  );
}

/** A button can name only fields of its own form. */
function checkButtons({ fields, names }: AnySet): void {
  for (const { checks = [] } of buttonsOf(fields)) {
    const unknown = checks.find((name) => !names.includes(name));
    if (unknown === undefined) continue;
    throw new TypeError(
      `Cannot define a form with a button that checks ${JSON.stringify(unknown)}: the form has ${names.join(', ')}.`,
    );
  }
}

/**
 * An empty form with a new idempotency key. `text` fills fields in advance; throws a TypeError for other values. It is
 * drawn in the language, and belongs to the user: sent from the session of another one, it is not carried out.
 */
export function blankForm<F extends Fields>(
  definition: Form<F, unknown>,
  text: PartialText<FormText<F>> = {} as PartialText<FormText<F>>,
  language: Language = english,
  user: Pick<SessionUser, 'id'> | null = null,
): FilledForm<F> {
  const filled = fillBlank(definition, text, language) as FormText<F>;
  return { ...WITH_PARTS, definition, text: filled, language, once: newKey(user) };
}
