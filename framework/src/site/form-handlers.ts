/**
 * The two halves of a form, without paths: `send`, the middleware that carries a valid form out once, and `show`,
 * the handler of its page, empty or refused. `formPage` registers both at one address.
 */

import type { Context, Middleware, Next } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { type Button, type ButtonField, buttonsOf, isButton } from '../field/button-field.ts';
import { bindForm } from '../form/bound-part.ts';
import { addMissingRows } from '../form/build-texts.ts';
import { draftOf, restoreDraft } from '../form/carry-draft.ts';
import { findError, findOmission, hasKey } from '../form/check-layout.ts';
import {
  blankForm,
  errorsOf,
  type Fields,
  type FilledForm,
  type Form,
  type FormError,
  type FormText,
  type FormValues,
  type PartialText,
  type SomeForm,
} from '../form/define-form.ts';
import { toSendAction } from '../form/form-address.ts';
import { checkLinked, linkedTexts } from '../form/form-link.ts';
import { formScriptSlot } from '../form/form-script.ts';
import { checkSource, type FormSource, makeForm } from '../form/form-source.ts';
import { type FormContext, READ_KINDS, type ReadOptions, readForm } from '../form/read-form.ts';
import { toEntries } from '../form/sent-fields.ts';
import { mergeErrors } from '../form/validate-form.ts';
import type { Advice } from '../http/advice.ts';
import { type Awaitable, andThen } from '../http/awaitable.ts';
import {
  checkOptions,
  describeValue,
  FUNCTION,
  LIST,
  needed,
  OBJECT,
  type OptionKind,
  type OptionKinds,
  TEXT,
} from '../http/check-options.ts';
import { type Href, localPath } from '../http/href.ts';
import type { Html } from '../http/html.ts';
import { type ErrorStatus, HttpError } from '../http/http-error.ts';
import { languageOf } from '../http/request-language.ts';
import { page, type Response } from '../http/response.ts';
import {
  type FormAction,
  refuse,
  refuseFirst,
  type StatusOf,
  statusOf,
} from '../once/form-action.ts';
import {
  answerOnce,
  type CarriedOut,
  type OnceContext,
  requireDestination,
} from '../once/only-once.ts';
import { toPath } from '../session/draft.ts';
import { isOfOtherAccount, newKey, ownKeySlot } from '../session/form-key.ts';
import { LOG_IN_CHALLENGE, refuseWithoutSession } from '../session/require-session.ts';
import type { SessionContext } from '../session/session.ts';
import {
  type Autosave,
  endSaved,
  isSaving,
  openSaved,
  saveTyped,
  toDays,
  toSaving,
} from './autosave.ts';
import { leaveForm } from './park-draft.ts';
import type { StoresContext } from './stores.ts';

/** What the chain before a form must have put on the context: `createSite` does. */
export type FormNeeds = Context & SessionContext & StoresContext<unknown>;

/** What `show` gets besides the context: the form as its page shows it. */
export interface ShownForm<F extends Fields> {
  /** Blank, filled with a draft, or as it was sent. A page without its key, `onceField(form)`, is an error. */
  readonly form: FilledForm<F>;
  /** Empty unless the form was refused. */
  readonly errors: readonly FormError<F>[];
  /** Whether the form was sent, and refused. */
  readonly isSent: boolean;
  /** Whether the text is that of a form which was sent before the log-in. */
  readonly isDraft: boolean;
}

/** What `send` and `act` get besides the context: a form that is valid. */
export interface SentForm<F extends Fields, V> {
  readonly form: FilledForm<F>;
  readonly values: V;
}

interface NamedError<F extends Fields> extends Omit<FormError<F>, 'field'> {
  readonly field: FormError<F>['field'] | Advice<WhichField>;
}

type WhichField =
  'Name a field of the form, or null for the whole form; one in a row is such as people.0.name';

/** What the form cannot know, such as a name that is taken. Nothing is committed. */
export interface Refused<F extends Fields> {
  readonly errors: readonly NamedError<F>[];
  /** 400 by default. */
  readonly status?: ErrorStatus;
}

/** The answers of a form that are not its page: a refresh sends nothing again. */
export type FormResponse = Response<303 | ErrorStatus>;

export type TransactionOf<C> = C extends StoresContext<infer Transaction> ? Transaction : never;

type Send<C, F extends Fields, V> = (
  context: C & SentForm<F, V> & { readonly transaction: TransactionOf<C> },
) => Awaitable<CarriedOut | Refused<F> | Advice<WhatFollows> | Mistaken>;

/** `show` makes no response: it answers with the status of the form. */
export type WhatIsShown =
  'Return the html of the page, made with the html tag, and without page(…)';

type WhatFollows =
  'Return the path that follows, of href(…) or localPath(…), { path, message }, or { errors }';

/** Objects that are often returned instead: no value has their types. */
type Mistaken =
  | {
      readonly path: Advice<'Take a path from href(…), or check text with localPath(…)'>;
      readonly message?: string;
    }
  | (Omit<Response, 'status'> & {
      readonly status: Advice<'Return the path itself: send redirects to it. For an answer of your own, use act'>;
    });

/** A function for each button of the form. */
type SendOfButtons<C, F extends Fields, V> = [ButtonsOf<F>] extends [never]
  ? never
  : {
      readonly [Value in ButtonsOf<F>['value']]: Send<C, F, ValuesOf<F, V, Value>>;
    };

type ButtonsOf<F extends Fields> = {
  [Name in keyof F]: F[Name] extends ButtonField<infer B> ? B[number] : never;
}[keyof F];

/** The values of the fields that the button checks. */
type ValuesOf<F extends Fields, V, Value> =
  Extract<ButtonsOf<F>, { readonly value: Value }> extends {
    readonly checks: readonly (infer Name)[];
  }
    ? Pick<FormValues<F>, Name & keyof F>
    : V;

export type Carrying<C, F extends Fields, V> =
  | {
      /**
       * Runs in a transaction, which also has the receipt of the form: all that it writes is committed, or nothing.
       * Resolves to the path that follows, to a path and a message for it, or to errors. It may run again when the
       * database asks for it, so it changes nothing else. A form with a `buttonField` may have one function for each
       * button, whose values are those of the fields that the button checks.
       */
      readonly send: Send<C, F, V> | SendOfButtons<C, F, V>;
      readonly act?: never;
      readonly once?: never;
    }
  | {
      /**
       * For a form that checks something before its transaction, acts after it, or answers with a page of its own. It
       * does its writes in `once`. Of a form with a password, `repeated` tells it to check the password again.
       */
      readonly act: (
        context: C & SentForm<F, V> & OnceContext<TransactionOf<C>>,
      ) => Awaitable<FormResponse | Refused<F>>;
      readonly send?: never;
      readonly once?: never;
    }
  | {
      /** For a form that does no harm when it is carried out again, such as a log-in: it has no receipt. */
      readonly act: (context: C & SentForm<F, V>) => Awaitable<FormResponse | Refused<F>>;
      readonly send?: never;
      readonly once: false;
    };

export interface AroundForm<C, F extends Fields, Loaded> {
  /** Reads what `fill` and `show` both need, such as the record to be edited. `form` is what was sent, or null. */
  readonly load?: (context: C & { readonly form: FilledForm<F> | null }) => Awaitable<Loaded>;
  /**
   * Finds what no field can know by itself, such as two passwords that differ. It is called for every form that was
   * sent, so that a refused one says all its errors at once; `errors` are those of the fields, and `values` those of
   * the valid ones. What another request may change, such as whether a name is taken, is refused in the transaction.
   */
  readonly check?: (
    context: C &
      Pick<ShownForm<F>, 'form' | 'errors'> & { readonly values: Partial<FormValues<F>> },
  ) => Awaitable<readonly FormError<F>[]>;
  /** What stands in the fields at first. */
  readonly fill?: (context: C & Loaded) => Awaitable<PartialText<FormText<F>>>;
  /**
   * The fields that the query of the page fills, as in `?course=7`, over `fill`: see `formLink`. A value that the field
   * refuses is ignored.
   */
  readonly linked?: readonly string[];
  /**
   * Saves what a user types, before the form is sent: in a long form. True for 7 days after the last change. With
   * `forms: { script: true }` it is saved while one types; a button saves it without a script. Passwords and files are
   * not saved. For visitors without a session nothing is saved: the script warns before the page is left.
   */
  readonly autosave?: Autosave;
  /** Headers of the page. Browsers store it for Back, unless the form has a password. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type FormHandlersOptions<
  C,
  F extends Fields,
  V,
  Loaded = unknown,
  Sent extends C = C,
> = Carrying<Sent, F, V> &
  AroundForm<C, F, Loaded> &
  ReadOptions & {
    /** The name of `send`, in logs and in `explain`. */
    readonly name: string;
    /**
     * The page, with status 200, or that of the refusal. It may also answer otherwise, such as with a 404. Without
     * it, a refused form is an error with its messages: for a form that is only a button.
     */
    readonly show?: (
      context: C & Loaded & ShownForm<F>,
    ) => Awaitable<Html | FormResponse | Advice<WhatIsShown>>;
  };

const AUTOSAVE: OptionKind = {
  noun: 'true, or { days: 7 }',
  accepts: (value) =>
    typeof value === 'boolean' ||
    (OBJECT.accepts(value) && Number((value as { days?: unknown }).days) > 0),
};

export const AROUND_KINDS: OptionKinds<
  Carrying<FormNeeds, Fields, unknown> & AroundForm<FormNeeds, Fields, unknown>
> = {
  send: {
    noun: 'a function, or one for each button',
    accepts: (value) => FUNCTION.accepts(value) || OBJECT.accepts(value),
  },
  act: FUNCTION,
  once: { noun: 'false', accepts: (value) => value === false },
  load: FUNCTION,
  check: FUNCTION,
  fill: FUNCTION,
  linked: LIST,
  autosave: AUTOSAVE,
  headers: OBJECT,
};

const HANDLER_KINDS = {
  ...AROUND_KINDS,
  ...READ_KINDS,
  name: needed(TEXT, "'createItem'"),
  show: FUNCTION,
} satisfies OptionKinds<FormHandlersOptions<FormNeeds, Fields, unknown>>;

export interface FormHandlers<C, F extends Fields, V, Sent extends C = C> {
  /** The chain of its POST: `.post('/items', guard, ...add.post)`. It reads the form, then `send` and `show` follow. */
  readonly post: readonly [
    Middleware<unknown, FormContext<F, V>>,
    FormAction<F, Sent, V>,
    <Shown extends C & Partial<FormContext<F, V>>>(
      context: Shown,
    ) => Awaitable<Response<StatusOf<Shown>> | FormResponse>,
  ];
  /** For `readForm`, in a chain of its own. */
  readonly form: FormSource<C, F, V>;
  /** Does what `onlyOnce` does, unless `once` is false. It stands after `readForm`, and before `show`. */
  readonly send: FormAction<F, Sent, V>;
  /** The handler of the page with the form, and of the refused form. */
  readonly show: <Shown extends C & Partial<FormContext<F, V>>>(
    context: Shown,
  ) => Awaitable<Response<StatusOf<Shown>> | FormResponse>;
}

/**
 * Makes `formHandlers` for routes whose context is `C`, such as `createFormHandlers<MemberContext>()`. An
 * application has one for each of its contexts. `Sent` is that of `send` and `act` if the chain of the POST adds more,
 * such as `requireSession` behind a page that everybody sees.
 */
export function createFormHandlers<C extends FormNeeds, Sent extends C = C>() {
  /** Makes the two halves of a form. Throws for a form with a password that has `send`: it needs `act`. */
  return function formHandlers<F extends Fields, V, Loaded = unknown>(
    source: FormSource<C, F, V>,
    options: FormHandlersOptions<C, F, V, Loaded, Sent>,
  ): FormHandlers<C, F, V, Sent> {
    checkOptions('formHandlers', options, HANDLER_KINDS);
    const { name, send, act } = options;
    if ((send === undefined) === (act === undefined)) {
      throw new TypeError(
        `Cannot make the handlers of ${name} with ${send === undefined ? 'neither' : 'both'} of send and act: pass one of them.`,
      );
    }
    if (options.autosave !== undefined && options.once === false) {
      throw new TypeError(
        `Cannot save ${name} while one types: with once: false, nothing tells when it was carried out. Leave out autosave, or once.`,
      );
    }
    const { page, limit, base, linked = [] } = options;
    const form = checkSource(source, { owner: name, base }, (made) => {
      if (made.hasSecret && send !== undefined) {
        throw new TypeError(
          `Cannot carry out ${name} with send: the form has a password, which must be checked again when the form is repeated, and is not hashed in a transaction. Use act.`,
        );
      }
      checkSends(name, made, send ?? act);
      checkLinked(made, linked, { owner: name, varies: typeof source === 'function' });
    });
    // The signature has checked the types of the context. From here on they are those that the parts need.
    const untyped = options as unknown as Untyped<F, V>;
    const known = form as FormSource<FormNeeds, F, V>;
    const read = readForm(known, {
      ...(page === undefined ? {} : { page }),
      ...(limit === undefined ? {} : { limit }),
      ...(base === undefined ? {} : { base }),
    });
    const carryOut = createSend(untyped);
    const show = createShow(known, untyped);
    Object.defineProperty(carryOut, 'name', { value: name });
    Object.defineProperty(show, 'name', { value: `show ${name}` });
    const handlers = { form, send: carryOut, show, post: [read, carryOut, show] };
    return handlers as unknown as FormHandlers<C, F, V>;
  };
}

type Untyped<F extends Fields, V> = FormHandlersOptions<FormNeeds, F, V>;
type SentContext<F extends Fields, V> = FormNeeds & FormContext<F, V>;
type Needed = Readonly<Record<'session' | 'form' | 'validation' | 'stores', unknown>>;

/**
 * Back shows the page with the typed text and the same key, so the form still counts once. With `no-store`
 * a browser would load a new form, with a new key, and put the old text into it.
 */
const STORED_FOR_BACK = { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' } as const;
/**
 * A refused form with a password, whose page has no password: with `no-store`, Back would ask whether to send it again.
 * It does not vary by the cookie, which a log-in and a new password change.
 */
const STORED_REFUSAL = { 'Cache-Control': 'private, no-cache' } as const;

function createShow<F extends Fields, V>(
  source: FormSource<FormNeeds, F, V>,
  options: Untyped<F, V>,
) {
  const { load, fill, linked = [], show = refuseWithoutPage, headers: own, once } = options;
  const days = toDays(options.autosave);
  const isSecret = typeof source !== 'function' && source.hasSecret;
  const checkLayout = createLayoutCheck<F>();
  type Shown = FormNeeds & Partial<FormContext<F, V>>;
  const toPage = (
    shown: Html,
    form: FilledForm<F>,
    errors: readonly FormError<F>[],
    context: Shown,
  ): Response => {
    // A page that expects no errors, such as that of a button, would not say why it is shown again.
    if (ownKeySlot.of(context.request) !== null && findError(shown.markup, errors) !== null)
      throw new HttpError(409, `${errors[0]?.message}.`);
    if (once !== false) checkLayout(shown, form, errors, context);
    const answer = page(shown, statusOf(context) as number);
    const refusal = context.form === undefined ? {} : STORED_REFUSAL;
    const headers = { ...answer.headers, ...(isSecret ? refusal : STORED_FOR_BACK), ...own };
    return {
      ...answer,
      headers: answer.status === 401 ? { ...headers, ...LOG_IN_CHALLENGE } : headers,
    };
  };
  // As the chain, it makes no promise for functions that make none.
  return (context: Shown): Awaitable<Response> => {
    const { request, form: sent = null } = context;
    return andThen(load?.({ ...context, form: sent }), (loaded) => {
      const whole = { ...context, ...(loaded as object | undefined) };
      const draft = sent === null ? draftOf(context) : null;
      const fillNew = (from: Shown): Awaitable<FilledForm<F>> => {
        const typed = draftOf(from);
        if (typed === null)
          return andThen(fill?.(whole), (text) => fillPage(source, context, text, linked));
        return andThen(makeForm(source, context, typed.entries), (made) => {
          const { savedAt } = from as { readonly savedAt?: string };
          const form = restoreDraft(made, from) as FilledForm<F>;
          return savedAt === undefined ? form : { ...form, savedAt };
        });
      };
      const open = () =>
        andThen(days === null || draft !== null ? context : openSaved(context), fillNew);
      return andThen(sent ?? open(), (made) => {
        const filled = days === null ? made : { ...made, saving: toSaving(made, context) };
        const errors = sent === null ? (filled.errors ?? []) : errorsOf<F>(context.validation);
        const script = formScriptSlot.of(request)?.tag ?? null;
        // What was sent without a key counts once when it is corrected.
        const key = once === false ? filled.once : (filled.once ?? newKey(context.session?.user));
        const action = toSendAction(request.target);
        const form = { ...filled, once: key, errors, action, script };
        const isSent = sent !== null && sent.focus === undefined;
        const states = { isSent, isDraft: draft !== null };
        return andThen(
          show({ ...whole, ...states, form, errors }) as Awaitable<Html | FormResponse>,
          (shown) => {
            if (typeof shown !== 'object' || shown === null) throw noPage(shown, context);
            return 'markup' in shown ? toPage(shown, form, errors, context) : shown;
          },
        );
      });
    });
  };
}

/** In JavaScript, or behind `any`. */
function noPage(shown: unknown, { route }: Context): TypeError {
  return new TypeError(
    `Cannot show the form page of ${route?.pattern}: its show returned ${describeValue(shown)}. Return the html of the page, made with the html tag.`,
  );
}

/** The texts of `fill` for fields that the form has only once it is made of these. */
function undeclaredOf({ fields }: SomeForm, given: object | undefined) {
  return Object.entries(given ?? {}).flatMap(([name, texts]) => {
    if (Object.hasOwn(fields, name)) return [];
    const all = [texts].flat().filter((text): text is string => typeof text === 'string');
    return all.map((text) => ({ name, text }));
  });
}

/** A new page. A function makes its form again if something is typed in it from the start. */
function fillPage<F extends Fields, V>(
  source: FormSource<FormNeeds, F, V>,
  context: FormNeeds,
  given: PartialText<FormText<F>> | undefined,
  linked: readonly string[],
): Awaitable<FilledForm<F>> {
  const { request, session } = context;
  const language = languageOf(request);
  const isLinked = linked.length > 0 && linked.some((name) => request.query.has(name));
  const toBlank = (made: Form<F, V>) => {
    const text = isLinked
      ? { ...(given as object), ...linkedTexts(made, linked, request.query, language) }
      : given;
    const form = blankForm(made, text as typeof given, language, session?.user);
    if (!isLinked) return form;
    return { ...form, text: addMissingRows(made, form.text, language) as FormText<F> };
  };
  // Each field that is filled may bring the next one, or its choices.
  const fillAgain = (made: Form<F, V>, left: number, before: string): Awaitable<FilledForm<F>> => {
    const blank = toBlank(made);
    if (left === 0) return blank;
    const entries = toEntries(bindForm(blank)).map(([name, text]) => ({ name, text }));
    const typed = [...entries, ...undeclaredOf(made, given)];
    const now = JSON.stringify(typed.filter(({ text }) => text !== ''));
    if (now === before) return blank;
    return andThen(makeForm(source, context, typed), (next) => fillAgain(next, left - 1, now));
  };
  const hasGiven = given !== undefined && Object.values(given).some((text) => text !== '');
  const isFilled = typeof source === 'function' && (hasGiven || isLinked);
  const times = isFilled ? (isLinked ? linked.length : 1) : 0;
  return andThen(makeForm(source, context), (made) => fillAgain(made, times, ''));
}

function createSend<F extends Fields, V>(options: Untyped<F, V>) {
  const { name, send, act, check, once: onceOption } = options;
  const days = toDays(options.autosave);

  async function carryOut(
    context: SentContext<F, V> & OnceContext<unknown>,
    next: (context: SentContext<F, V>) => Awaitable<Response>,
    { values, errors, found }: Checked<F>,
  ): Promise<Response> {
    const added = found === undefined ? addErrors(context, errors, check) : found();
    const all = added instanceof Promise ? await added : added;
    if (values === null || all.length > 0) return next(refuse<F, typeof context>(context, all));
    const ending = days === null ? {} : { once: endSaved<unknown>(context, days) };
    const valid = { ...context, ...ending, values: values as V };
    if (act !== undefined) {
      const done = await act(valid);
      return isRefused<F>(done) ? next(refuse(context, done.errors, done.status)) : done;
    }
    const run = typeof send === 'function' ? send : sendOf<F, V>(send, context);
    try {
      return await valid.once(async (transaction) => {
        const done = await run({ ...valid, transaction });
        if (isRefused<F>(done)) throw new FormRefused('The form was refused.', { cause: done });
        return withOwnAddress(requireDestination(done as CarriedOut, `send of ${name}`), context);
      });
    } catch (error) {
      if (!(error instanceof FormRefused)) throw error;
      const { errors, status } = error.cause as Refused<F>;
      return next(refuse<F, typeof context>(context, errors, status));
    }
  }

  const countsOnce = onceOption !== false;
  // With `send`, a valid form goes straight to the transaction, which finds the receipt of a repeat: a look-up before
  // it would cost every form 5 % of its CPU time. So `check` is called first.
  const answer = (
    context: SentContext<F, V>,
    next: (context: SentContext<F, V>) => Awaitable<Response>,
  ) => {
    const checked = checkForButton(context);
    const first = refuseFirst<F, typeof context>(context, checked.errors);
    if (first !== null) return next(first);
    if (!countsOnce) return carryOut(context as never, next, checked);
    const answerWith = (known: Checked<F>, looksUpFirst: boolean) =>
      answerOnce(
        context.stores,
        context,
        (inner) => carryOut(inner as never, next, known) as never,
        looksUpFirst,
      );
    if (send === undefined || checked.values === null) return answerWith(checked, true);
    if (check === undefined) return answerWith(checked, false);
    // What the check refuses may be a repeat, whose first time is the reason.
    const fail = (error: unknown) => {
      const found = () => {
        throw error;
      };
      return answerWith({ ...checked, found }, true);
    };
    try {
      const pass = (found: readonly FormError<F>[]) =>
        answerWith({ ...checked, found: () => found }, found.length > 0);
      const finding = addErrors(context, checked.errors, check);
      return finding instanceof Promise ? finding.then(pass, fail) : pass(finding);
    } catch (error) {
      return fail(error);
    }
  };
  const answered = days === null ? answer : saveOr(days, answer);
  return describeMiddleware(leaveOr(answered) as unknown as Middleware<Needed>, {
    needs: ['session', 'form', 'validation', 'stores'],
    adds: [],
    countsOnce,
  });
}

/** A form that is saved while one types: its buttons and its script carry nothing out. */
function saveOr<F extends Fields, V>(
  days: number,
  answer: (context: SentContext<F, V>, next: Next<SentContext<F, V>>) => Awaitable<Response>,
) {
  return async (context: SentContext<F, V>, next: Next<SentContext<F, V>>): Promise<Response> => {
    const { form, session } = context;
    if (!isSaving(form)) return answer(context, next);
    const isScript = form.change === 'autosave';
    const isLoggedIn = session !== null && !session.superseded;
    if (!isLoggedIn || isOfOtherAccount(form.once, session)) {
      // The page does not say that it was saved now, so the script knows that it was not.
      if (isScript) return next(context);
      if (!isLoggedIn) throw refuseWithoutSession();
      const { focus: _, ...sent } = form;
      return next(
        refuseFirst<F, typeof context>({ ...context, form: sent as typeof form }, []) as never,
      );
    }
    const saved = await saveTyped({ ...context, session }, days);
    return 'status' in saved
      ? saved
      : answer({ ...context, form: { ...form, saving: saved } }, next);
  };
}

/** A button that leads to another form changes nothing of this one. */
function leaveOr<C extends Parameters<typeof leaveForm>[0]>(
  answer: (context: C, next: Next<C>) => Awaitable<Response>,
) {
  return (context: C, next: Next<C>): Awaitable<Response> =>
    context.form.focus === undefined
      ? answer(context, next)
      : leaveForm(context).then((left) => {
          if (left === null) return answer(context, next);
          if (typeof left !== 'string') return left;
          // An error takes the focus.
          const { focus = null, ...form } = context.form;
          const stays = { ...context, form } as never as SentContext<Fields, unknown>;
          return next(refuse(stays, [{ field: focus, message: left }]) as never);
        });
}

function addErrors<F extends Fields, V>(
  context: SentContext<F, V>,
  errors: readonly FormError<F>[],
  check: Untyped<F, V>['check'],
): Awaitable<readonly FormError<F>[]> {
  const { focus, definition } = context.form;
  if (check === undefined || focus !== undefined) return errors;
  const { names }: SomeForm = definition;
  const values = context.validation.parsed ?? {};
  return andThen(check({ ...context, errors, values }), (found) =>
    found.length === 0 ? errors : mergeErrors(names, errors, found),
  );
}

/** The values that the pressed button needs; null with the errors of the fields that it checks. */
interface Checked<F extends Fields> {
  readonly values: unknown;
  readonly errors: readonly FormError<F>[];
  /** With those that `check` has found; undefined before it was called. */
  readonly found?: () => readonly FormError<F>[];
}

function checkForButton<F extends Fields, V>({ form, validation }: FormContext<F, V>): Checked<F> {
  // The pressed button has changed the form itself.
  if (form.focus !== undefined) return { values: null, errors: [] };
  const all = errorsOf<F>(validation);
  const checks = pressedButton(form)?.checks;
  if (checks === undefined)
    return { values: validation.valid ? validation.values : null, errors: all };
  const parsed: Readonly<Record<string, unknown>> = validation.parsed ?? {};
  if (checks.every((name) => name in parsed))
    return { values: Object.fromEntries(checks.map((name) => [name, parsed[name]])), errors: [] };
  const errors = all.filter(({ field }) => checks.includes(String(field).replace(/\..*/, '')));
  return { values: null, errors: errors.length === 0 ? all : errors };
}

/** Undefined for a form without buttons, and if the button is not one of them. */
function pressedButton<F extends Fields>({
  definition: { fields, names },
  text,
}: FilledForm<F>): Button | undefined {
  const name = names.find((one) => isButton(fields[one]));
  if (name === undefined) return undefined;
  const buttons = buttonsOf(fields);
  const value: unknown = text[name];
  return value === '' ? buttons[0] : buttons.find((one) => one.value === value);
}

function sendOf<F extends Fields, V>(sends: object, context: FormContext<F, V>) {
  const button = pressedButton(context.form)?.value ?? '';
  return (sends as Readonly<Record<string, Send<FormNeeds, F, V>>>)[button] as Send<
    FormNeeds,
    F,
    V
  >;
}

/** Each button of a form has its function, and one that checks some fields has its own values. */
function checkSends(name: string, { fields }: SomeForm, send: unknown): void {
  const buttons = buttonsOf(fields);
  if (typeof send === 'function') {
    const partly = buttons.find(({ checks }) => checks !== undefined);
    if (partly === undefined) return;
    throw new TypeError(
      `Cannot make the handlers of ${name} with one function for all buttons: ${JSON.stringify(partly.value)} checks some of the fields, so its values differ. Write send: { ${buttons.map(({ value }) => value).join(', ')} }, with a function for each.`,
    );
  }
  const values = buttons.map(({ value }) => value);
  const given = Object.entries(send as object);
  const wrong =
    given.find(([value, one]) => typeof one !== 'function' || !values.includes(value))?.[0] ??
    values.find((value) => !Object.hasOwn(send as object, value));
  if (wrong === undefined) return;
  throw new TypeError(
    `Cannot make the handlers of ${name} with ${JSON.stringify(wrong)} in send: ${buttons.length === 0 ? 'the form has no buttonField. Pass a function.' : `pass a function for each of the buttons ${values.join(', ')}, and for nothing else.`}`,
  );
}

export function isRefused<F extends Fields>(done: unknown): done is Refused<F> {
  return typeof done === 'object' && done !== null && 'errors' in done;
}

/** Leaves the transaction, so that nothing in it is committed. Its cause is a `Refused`. */
class FormRefused extends Error {}

/** The page of a form that has none, such as a button on the page of a record. */
function refuseWithoutPage<F extends Fields>({
  errors,
  ...context
}: Context & ShownForm<F>): never {
  const { status } = context as { readonly status?: ErrorStatus };
  // The form was sent with a button that changes only its page, and has none.
  if (errors.length === 0) throw new HttpError(400, ({ words }) => words.formUnreadable);
  throw new HttpError(status ?? 400, errors.map(({ message }) => `${message}.`).join(' '));
}

/**
 * Throws for a page that lacks something of its form. The key is looked for on every page, the rest on the first pages
 * of a handler: the layout is the same on all of them.
 */
function createLayoutCheck<F extends Fields>() {
  const checked = new Set<boolean>();
  return (
    { markup }: Html,
    form: FilledForm<F>,
    errors: readonly FormError<F>[],
    { route }: Context,
  ): void => {
    const isRefused = errors.length > 0;
    if (checked.has(isRefused) && hasKey(markup, form)) return;
    const omission = findOmission(markup, form, errors);
    if (omission === null) checked.add(isRefused);
    else throw new TypeError(`Cannot show the form page of ${route?.pattern}: ${omission}`);
  };
}

/**
 * When `send` leads back to the page of the form, the redirect gets an address that only this form has. With
 * the same address, the new page would replace the old one in the browser's cache, and Back would show the
 * typed text with another key.
 */
function withOwnAddress(
  done: CarriedOut,
  { request, form }: Context & { readonly form: { readonly once: string | null } },
): CarriedOut {
  const address = (path: Href) => {
    const [, page = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(.*)$/.exec(path) ?? [];
    if (page !== toPath(request.target) || form.once === null) return path;
    const sent = `sent=${encodeURIComponent(form.once.slice(0, 8))}`;
    return localPath(`${page}${query === '' ? '?' : `${query}&`}${sent}${fragment}`);
  };
  return typeof done === 'string' ? address(done) : { ...done, path: address(done.path) };
}
