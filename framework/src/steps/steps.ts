/**
 * A form on several pages as a value: its steps, in their order. A step may depend on the answers of the steps before
 * it. So all answers are validated again in that order whenever they are read: they may be older than the code, or
 * than an earlier answer.
 */

import { isFile } from '../field/field.ts';
import { parseFileText } from '../field/file-text.ts';
import {
  errorsOf,
  type Fields,
  type FilledForm,
  type Form,
  type FormError,
  type FormText,
  type FormValues,
  type Validation,
} from '../form/define-form.ts';
import type { TextTree } from '../form/field-set.ts';
import { toTyped } from '../form/form-source.ts';
import { fillSent } from '../form/read-form.ts';
import { LANGUAGE, languageTypedIn, translateTexts } from '../form/rewrite-texts.ts';
import { bindSent, findField } from '../form/sent-fields.ts';
import { mergeErrors, validateForm } from '../form/validate-form.ts';
import { type Awaitable, andThen } from '../http/awaitable.ts';
import { checkOptions, FUNCTION, needed, type OptionKinds, TEXT } from '../http/check-options.ts';
import type { Entry, SentFile } from '../http/urlencoded.ts';
import type { Language } from '../language/language.ts';

// biome-ignore lint/suspicious/noExplicitAny: `step` infers what each function gets; here the steps are a list.
type AnyAnswers = any;

/** One page of several. */
export interface Step {
  readonly name: string;
  readonly title: string;
  /** Makes the form of the earlier answers and of what is typed; or the form itself, which is the same for all. */
  readonly form: AnyForm | ((answers: AnyAnswers, typed: URLSearchParams) => Awaitable<AnyForm>);
  /** Whether the step is asked at all; null for always. */
  readonly when: ((answers: AnyAnswers) => boolean) | null;
  /** Null without one. */
  readonly check: ((sent: CheckedStep<AnyAnswers, AnyAnswers>) => StepErrors) | null;
}

/** What `check` of a step gets. */
export interface CheckedStep<Answers, F extends Fields> {
  /** Those of the valid fields, before the schema of the form. */
  readonly values: Partial<FormValues<F>>;
  /** Of the fields. */
  readonly errors: readonly FormError<F>[];
  /** The answers of the steps before. */
  readonly answers: Answers;
}

type StepErrors<F extends Fields = AnyAnswers> = Awaitable<readonly FormError<F>[]>;

// biome-ignore lint/suspicious/noExplicitAny: one list holds forms of different fields.
export type AnyForm = Form<any, any>;

/** What a step has besides its name and its form. */
export interface StepOptions<Answers, F extends Fields = AnyAnswers> {
  readonly title: string;
  /**
   * Whether the step is asked; without it, always. The answer to a step that is not asked is kept, and does not count.
   */
  readonly when?: (answers: Answers) => boolean;
  /**
   * Finds what no field can know by itself, such as an end before its start; as `check` of `formPage`, for every form
   * that was sent. It is called again whenever the answers are read, so it reads nothing but what it gets.
   */
  readonly check?: (sent: CheckedStep<Answers, F>) => StepErrors<F>;
}

const STEP_KINDS = {
  title: needed(TEXT, "'Your details'"),
  when: FUNCTION,
  check: FUNCTION,
} satisfies OptionKinds<StepOptions<never>>;

/**
 * The steps of a form on several pages. `Answers` are the values of each step by its name; those of a step with
 * `when` may be missing. `Sets` are the fields of each step.
 */
export interface Steps<Answers, Names extends string = string, Sets = AnySets<Names>> {
  readonly list: readonly Step[];
  /**
   * Returns steps with one more at the end. Its name is a part of its address, such as `room` or `emergency-contact`.
   * The form may be a function of the earlier answers, and of what is typed so far; it may be async. Throws a TypeError
   * for a form with a password, which no store may hold.
   */
  readonly step: <
    const Name extends string,
    Made extends AnyForm | ((answers: Answers, typed: URLSearchParams) => Awaitable<AnyForm>),
    Options extends StepOptions<Answers, FieldsOf<Made>>,
  >(
    name: Name,
    form: Made,
    options: Options,
  ) => Steps<
    Flat<Answers & AnswerOf<Name, Made, Options>>,
    Names | Name,
    Flat<Sets & { readonly [N in Name]: FieldsOf<Made> }>
  >;
}

/** Of steps whose fields are not known. */
export type AnySets<Names extends string> = { readonly [N in Names]: Fields };

type FieldsOf<Made> =
  Made extends Form<infer F, infer _>
    ? F
    : Made extends (answers: never, typed: never) => infer Returned
      ? FieldsOf<Awaited<Returned>>
      : never;

/** The values of one step by its name. */
type AnswerOf<Name extends string, Made, Options> = Options extends { readonly when: unknown }
  ? { readonly [N in Name]?: ValuesOf<Made> }
  : { readonly [N in Name]: ValuesOf<Made> };

type ValuesOf<Made> =
  Made extends Form<infer _, infer V>
    ? V
    : Made extends (answers: never, typed: never) => infer Returned
      ? ValuesOf<Awaited<Returned>>
      : never;

type Flat<T> = { [K in keyof T]: T[K] };

/** Steps without any: `steps().step('contact', contactForm, { title: 'Your details' })`. */
export function steps(): Steps<unknown, never, unknown> {
  return withSteps([]) as Steps<unknown, never, unknown>;
}

const STEP_NAME = /^(?!check$)[a-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*$/;

function withSteps(list: readonly Step[]): Steps<AnyAnswers, AnyAnswers> {
  const step = (name: string, form: Step['form'], options: StepOptions<AnyAnswers>) => {
    checkOptions('step', options, STEP_KINDS);
    const { title, when = null, check = null } = options;
    if (!STEP_NAME.test(name)) {
      throw new TypeError(
        `Cannot make a step with the name ${JSON.stringify(name)}: it is a part of an address. Start with a lower-case letter, go on with letters, digits and single hyphens, and do not take "check", the page of all answers.`,
      );
    }
    if (list.some((one) => one.name === name))
      throw new TypeError(`Cannot make two steps with the name "${name}": rename one.`);
    if (list.length === 0 && when !== null) {
      throw new TypeError(
        `Cannot make the first step "${name}" with a condition: nothing was answered before it. Leave out when.`,
      );
    }
    if (typeof form !== 'function') requireForm(name, form);
    return withSteps([...list, { name, title, form, when, check }]);
  };
  return { list, step };
}

function requireForm(name: string, form: AnyForm): AnyForm {
  if (!Array.isArray(form?.names)) {
    throw new TypeError(
      `Cannot make the step "${name}" without a form: pass what defineForm returned, or a function that returns it.`,
    );
  }
  if (!form.hasSecret) return form;
  throw new TypeError(
    `Cannot make the step "${name}" of a form with a password: answers are stored until the last page is sent, and no store may hold a password. Ask for it on a page of its own afterwards.`,
  );
}

/** A field as it was sent. */
export interface SentText {
  readonly name: string;
  readonly text: string;
  /** Of the content, in hexadecimal, if it is a file. */
  readonly sha256?: string;
}

/** What was sent on each step, by its name: valid or not. */
export type SentAnswers = Readonly<Record<string, readonly SentText[]>>;

/** A step that can be asked: it depends on no answer that is missing. */
export interface ReachedStep {
  readonly step: Step;
  /** From 1; null if it depends on answers that are missing. */
  readonly number: number | null;
  readonly form: AnyForm;
  /** Makes the form again, of what is typed now. */
  readonly make: (typed: URLSearchParams) => Awaitable<AnyForm>;
  /** What `check` of the step finds; null without one. */
  readonly check: CheckSent | null;
  /** What was sent, with its files, as it was typed; null if nothing was. */
  readonly entries: readonly Entry[] | null;
  /** By which numbers and dates in it are read: that of the page where it was typed. */
  readonly typedIn: Language;
  /** Null without entries. */
  readonly validation: Validation<Fields, unknown> | null;
}

/** `waiting` depends on answers that are missing; `notNeeded` is left out because of earlier answers. */
export type StepState = 'done' | 'missing' | 'waiting' | 'notNeeded';

type CheckSent = (
  sent: Omit<CheckedStep<unknown, AnyAnswers>, 'answers'>,
  language: Language,
) => Promise<readonly FormError<Fields>[]>;

/** How far some answers lead. */
export interface Progress {
  /** In their order, without those that are left out, or depend on answers that are missing. */
  readonly reached: readonly ReachedStep[];
  /** The first step without a valid answer; null if all answers are there and valid. */
  readonly open: ReachedStep | null;
  /** In the order of all steps. */
  readonly states: readonly StepState[];
  /** The values of all valid steps, by their names. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** How many steps there are; null if it depends on answers that are still missing. */
  readonly total: number | null;
}

/** What the answers are read with. */
export interface Reading {
  readonly language: Language;
  /** Finds a parked file by the key in its text; null if it has expired. */
  readonly findFile: (key: string) => Promise<SentFile | null>;
}

/**
 * Validates the answers in their order. A step that is made of earlier answers, or has a condition, waits for all of
 * them.
 */
export async function readProgress(
  list: readonly Step[],
  sent: SentAnswers,
  reading: Reading,
): Promise<Progress> {
  const answers: Record<string, unknown> = {};
  const reached: ReachedStep[] = [];
  const states: StepState[] = [];
  let open: ReachedStep | null = null;
  let total: number | null = 0;
  for (const step of list) {
    const isWaiting = open !== null && (step.when !== null || typeof step.form === 'function');
    const isNeeded = isWaiting || step.when?.(answers) !== false;
    if (isWaiting && step.when !== null) total = null;
    else if (isNeeded && total !== null) total++;
    if (isWaiting || !isNeeded) {
      states.push(isWaiting ? 'waiting' : 'notNeeded');
      continue;
    }
    const own = Object.hasOwn(sent, step.name) ? sent[step.name] : undefined;
    const before = { ...answers };
    const make = (typed: URLSearchParams) => formOfStep(step, before, typed);
    const form = await make(toTyped(own ?? []));
    const entries = own === undefined ? null : await toEntries(form, own, reading);
    const code = own?.find(({ name }) => name === LANGUAGE)?.text;
    const { language } = reading;
    const typedIn = code === undefined ? language : languageTypedIn(code, language);
    const check = checkOfStep(step, before);
    const read =
      entries === null ? null : await validateForm(form, bindSent(form, entries, typedIn), typedIn);
    const validation =
      read === null || check === null ? read : await addFound(form, read, check, typedIn);
    const one = { step, number: total, form, make, check, entries, typedIn, validation };
    reached.push(one);
    states.push(validation?.valid === true ? 'done' : 'missing');
    if (validation?.valid === true) answers[step.name] = validation.values;
    else open ??= one;
  }
  return { reached, open, states, answers, total };
}

/** As the form received them. What another version of it has sent is left out. */
function toEntries(
  form: AnyForm,
  sent: readonly SentText[],
  { findFile }: Reading,
): Promise<readonly Entry[]> {
  const known = sent.flatMap(({ name, text }) => {
    const field = findField(form, name);
    return field === null || field === 'no index' ? [] : { name, text, field };
  });
  return Promise.all(
    known.map(async ({ name, text, field }): Promise<Entry> => {
      const entry = { name, text, flaw: null };
      if (field === 'row' || !isFile(field)) return entry;
      const { key, name: fileName } = parseFileText(text);
      const file = key === null ? null : await findFile(key);
      return file === null ? { ...entry, text: fileName } : { ...entry, file };
    }),
  );
}

/** The form filled with the answer, as the language writes it. */
export function fillAnswer(
  { form, entries, typedIn }: ReachedStep,
  language: Language,
): FilledForm<Fields> {
  const filled: FilledForm<Fields> = fillSent(form, entries ?? [], language);
  const text = translateTexts(form, filled.text as TextTree, typedIn.code, language);
  return { ...filled, text: text as FormText<Fields> };
}

function checkOfStep({ check }: Step, answers: object): CheckSent | null {
  if (check === null) return null;
  return async (sent, { translate }) => {
    const found = await check({ ...sent, answers });
    return found.map((error) => ({ ...error, message: translate(error.message) }));
  };
}

async function addFound(
  { names }: AnyForm,
  read: Validation<Fields, unknown>,
  check: CheckSent,
  language: Language,
): Promise<Validation<Fields, unknown>> {
  const { parsed = {} } = read;
  const errors = errorsOf(read);
  const all = mergeErrors(names, errors, await check({ values: parsed, errors }, language));
  return all.length === 0 ? read : { valid: false, errors: all, parsed };
}

function formOfStep(
  { name, form }: Step,
  answers: object,
  typed: URLSearchParams,
): Awaitable<AnyForm> {
  if (typeof form !== 'function') return form;
  return andThen(form(answers, typed), (made) => requireForm(name, made));
}
