/**
 * The page of a form that counts once: one GET and one POST route, made of `readForm`, `onlyOnce`, a
 * `FormAction` and a handler that shows the form empty and refused. A page that needs more is registered
 * with these parts.
 */
import type { AnyMiddleware, Context } from '../chain/context.ts';
import { restoreDraft } from '../form/carry-draft.ts';
import {
  blankForm,
  errorsOf,
  type Fields,
  type FilledForm,
  type Form,
  type FormError,
} from '../form/define-form.ts';
import { type FormAction, refuse, statusOf } from '../form/form-action.ts';
import { errorSummary, formField, onceField } from '../form/form-markup.ts';
import {
  type CarriedOut,
  hasPassword,
  type OnceContext,
  onlyOnceInSite,
  requireDestination,
} from '../form/only-once.ts';
import { type FormContext, readForm } from '../form/read-form.ts';
import type { Advice } from '../http/advice.ts';
import type { Awaitable } from '../http/awaitable.ts';
import {
  checkOptions,
  FUNCTION,
  LIST,
  needed,
  type OptionKinds,
  or,
  TEXT,
} from '../http/check-options.ts';
import { type Href, localPath } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import type { ErrorStatus } from '../http/http-error.ts';
import { page, type Response } from '../http/response.ts';
import type { Lacking } from '../router/chain-advice.ts';
import type { After } from '../router/chain-types.ts';
import type { ParamsOf } from '../router/path-params.ts';
import type { Router } from '../router/router.ts';
import type { SessionContext } from '../session/session.ts';
import type { StoresContext } from './stores.ts';

/** What `show` gets besides the context: a form that is blank, or refused. */
export interface ShownForm<F extends Fields> {
  /** The whole `<form>`: the summary of its errors, its key, all its fields and its button. */
  readonly formHtml: Html;
  /**
   * The parts of it, for a layout of your own, with `onceField(form)` and `action="?send"`. A page without the key
   * is an error.
   */
  readonly form: FilledForm<F>;
  readonly errors: readonly FormError<F>[];
}

/** What `send` gets besides the context: a form that is valid, and was not carried out before. */
export interface SentValues<V, Transaction> {
  readonly values: V;
  /** All that `send` writes belongs to it: it is committed with the receipt of the form, or not at all. */
  readonly transaction: Transaction;
}

/** `send` has found what the form cannot know, such as a name that is taken. Nothing is committed. */
export interface RefusedBySend<F extends Fields> {
  readonly errors: readonly FormError<F>[];
  /** 400 by default. */
  readonly status?: ErrorStatus;
}

export interface FormPage<C, F extends Fields, V, Transaction> {
  /** The text of the button; null for a form with a `buttonField`, which draws its own. */
  readonly button: string | null;
  /** The page, with status 200, or that of the refusal. */
  readonly show: (context: C & ShownForm<F>) => Awaitable<Html>;
  /**
   * Resolves to the path that follows, to a path and a message for it, or to errors. It may run again when
   * the database asks for it, so it changes nothing else.
   */
  readonly send: (
    context: C & SentValues<V, Transaction>,
  ) => Awaitable<CarriedOut | RefusedBySend<F>>;
  /** What stands in the fields at first, such as the record to be edited. */
  readonly fill?: (context: C) => Awaitable<{ readonly [Name in keyof F]?: string }>;
}

const PAGE_KINDS = {
  button: needed(or(TEXT, null), "'Save'"),
  show: needed(FUNCTION),
  send: needed(FUNCTION),
  fill: FUNCTION,
  middleware: LIST,
} satisfies OptionKinds<
  FormPage<Needs, Fields, unknown, unknown> & { readonly middleware?: unknown }
>;

/** What the router must have on its context. */
type Needs = Context & SessionContext & StoresContext<unknown>;
type SiteNeeds<C> = C extends Needs
  ? unknown
  : Advice<`This router needs ${Lacking<C, Omit<Needs, keyof Context>>}`>;

/** The end of the chain of a page's middleware. */
type PageChain<C, Path extends string, Ms> = After<C & { readonly params: ParamsOf<Path> }, Ms>;
type PageContext<C, Path extends string, Ms> = PageChain<C, Path, Ms>['context'];
type MiddlewareNeeds<Sentence extends string> = [Sentence] extends [never]
  ? unknown
  : Advice<Sentence>;

type TransactionOf<C> = C extends StoresContext<infer Transaction> ? Transaction : never;

/**
 * Makes the page of a form that counts once. Registers GET and POST of the page, after the middleware.
 * Throws for a form with a password: its repeats must be checked, and a password is not hashed inside a
 * transaction. Throws for a form without a button.
 */
export function formPage<
  C extends Context,
  Names extends string,
  Prefix extends string,
  P extends string,
  F extends Fields,
  V,
  const Ms extends readonly AnyMiddleware[] = readonly [],
>(
  router: Router<C, Names, Prefix> & SiteNeeds<C>,
  pattern: P,
  form: Form<F, V>,
  options: FormPage<PageContext<C, `${Prefix}${P}`, Ms>, F, V, TransactionOf<C>> & {
    readonly middleware?: readonly [...Ms] &
      MiddlewareNeeds<PageChain<C, `${Prefix}${P}`, Ms>['sentence']>;
  },
): Router<C, Names | `GET ${Prefix}${P}` | `POST ${Prefix}${P}`, Prefix> {
  checkOptions('formPage', options, PAGE_KINDS);
  const read = readForm(form);
  if (hasPassword(blankForm(form))) {
    throw new TypeError(
      `Cannot make a form page of ${pattern}: the form has a password, which its action must check itself. Register it with readForm, onlyOnce and a FormAction.`,
    );
  }
  const hasButton = form.names.some((name) => form.fields[name]?.control === 'button');
  if (hasButton === (options.button !== null)) {
    throw new TypeError(
      hasButton
        ? `Cannot add the button "${options.button}" to the form page of ${pattern}: the form has a buttonField, which draws its own. Write button: null.`
        : `Cannot make a form page of ${pattern} without a button: give it a text, or the form a buttonField.`,
    );
  }
  const { middleware = [] } = options as { readonly middleware?: readonly AnyMiddleware[] };
  const { showForm, sendForm } = createHandlers(form, options as unknown as AnyPage<F, V>);
  const routes = router as unknown as Router<Needs>;
  routes.register('GET', pattern, middleware, showForm as never);
  const chain = [...middleware, read, onlyOnceInSite, sendForm];
  routes.register('POST', pattern, chain, showForm as never);
  return router as never;
}

// From here on the types of the context, which were checked above, are those that the parts need.
type AnyPage<F extends Fields, V> = FormPage<Needs, F, V, unknown>;

/**
 * Back shows the page with the typed text and the same key, so the form still counts once. With `no-store`
 * a browser would load a new form, with a new key, and put the old text into it.
 */
const STORED_FOR_BACK = { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' } as const;

/** The form as it was sent. */
interface SentForm {
  readonly form: { readonly once: string | null };
}

/** Leaves the transaction, so that nothing in it is committed. */
class Refusal<F extends Fields> extends Error {
  readonly refused: RefusedBySend<F>;

  constructor(refused: RefusedBySend<F>) {
    super('The form was refused.');
    this.refused = refused;
  }
}

function createHandlers<F extends Fields, V>(definition: Form<F, V>, options: AnyPage<F, V>) {
  const { button, show, send, fill } = options;

  const blank = async (context: Needs): Promise<FilledForm<F>> =>
    restoreDraft(definition, context) ?? blankForm(definition, await fill?.(context));

  async function showForm(context: Needs & Partial<FormContext<F, V>>): Promise<Response> {
    const form = context.form ?? (await blank(context));
    const errors = errorsOf<F>(context.validation);
    const formHtml = drawForm(form, errors, button);
    const shown = await show({ ...context, form, errors, formHtml });
    requireKey(shown, form, context);
    const answer = page(shown, statusOf(context));
    return { ...answer, headers: { ...answer.headers, ...STORED_FOR_BACK } };
  }

  const sendForm: FormAction<F, Needs & OnceContext<unknown>, V> = async (context, next) => {
    const { validation, once } = context;
    if (!validation.valid) return next(refuse<F, typeof context>(context));
    const { values } = validation;
    try {
      return await once(async (transaction) => {
        const done = await send({ ...context, values, transaction });
        if (typeof done === 'object' && done !== null && 'errors' in done) throw new Refusal(done);
        const carriedOut = requireDestination(done, `send of ${context.route?.pattern}`);
        if (typeof carriedOut === 'string') return withOwnAddress(carriedOut, context);
        return { ...carriedOut, path: withOwnAddress(carriedOut.path, context) };
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { errors, status } = error.refused as RefusedBySend<F>;
      return next(refuse<F, typeof context>(context, errors, status));
    }
  };

  return { showForm, sendForm };
}

/** A form without its key is carried out each time it is sent, and nothing else would tell. */
function requireKey<F extends Fields>(shown: Html, form: FilledForm<F>, { route }: Context): void {
  const key = onceField(form);
  if (key === null || shown.markup.includes(key.markup)) return;
  throw new TypeError(
    `Cannot show the form page of ${route?.pattern}: the page lacks the key of its form, so a form that is sent twice would be carried out twice. Write onceField(form) into the <form>, or use formHtml. If there is no form to show, answer in a middleware of the page.`,
  );
}

/**
 * When `send` leads back to the page of the form, the redirect gets an address that only this form has. With
 * the same address, the new page would replace the old one in the browser's cache, and Back would show the
 * typed text with another key.
 */
function withOwnAddress(path: Href, { request, form }: Context & SentForm): Href {
  const isOwn = path === request.target.replace(/\?.*/, '');
  return isOwn && form.once !== null ? localPath(`${path}?sent=${form.once.slice(0, 8)}`) : path;
}

/**
 * The query of the address that the form is sent to differs from those of all its pages: a browser deletes
 * the page at the address of a POST from its cache (RFC 9111 section 4.4).
 */
function drawForm<F extends Fields>(
  form: FilledForm<F>,
  errors: readonly FormError<F>[],
  button: string | null,
): Html {
  const fields = form.definition.names.map((name) => html`${formField(form, name, errors)}\n`);
  return html`${errorSummary(errors)}<form method="post" action="?send" novalidate>
${onceField(form)}
${fields}${button === null ? null : html`<button>${button}</button>\n`}</form>`;
}
