/**
 * Made of `formHandlers`, with the form drawn, because a layout that forgets the key, the method or the summary of
 * errors would compile. A form whose page stands at another address than its action is registered with `formHandlers`.
 */

import type { AnyMiddleware, Context } from '../chain/context.ts';
import { isButton } from '../field/button-field.ts';
import type { Fields, FilledForm, SomeForm } from '../form/define-form.ts';
import { errorSummary, formField, formTag } from '../form/form-markup.ts';
import { checkSource, type FormSource } from '../form/form-source.ts';
import type { Advice } from '../http/advice.ts';
import type { Awaitable } from '../http/awaitable.ts';
import {
  COUNT,
  checkOptions,
  FUNCTION,
  LIST,
  needed,
  OBJECT,
  type OptionKinds,
  or,
  TEXT,
} from '../http/check-options.ts';
import { type Html, html } from '../http/html.ts';
import { languageOf } from '../http/request-language.ts';
import type { Lacking } from '../router/chain-advice.ts';
import type { After, AnyFormHandler } from '../router/chain-types.ts';
import type { CheckedPattern, ParamsOf } from '../router/path-params.ts';
import type { AnyRouter, Router } from '../router/router.ts';
import {
  AROUND_KINDS,
  type AroundForm,
  type Carrying,
  createFormHandlers,
  type FormNeeds,
  type FormResponse,
  type ShownForm,
  type WhatIsShown,
} from './form-handlers.ts';

/** What `show` gets besides the context: a form that is blank, or refused. */
export interface ShownPage<F extends Fields> extends ShownForm<F> {
  /**
   * The whole `<form>`: the summary of its errors, its key, all its fields and its button. A layout of your own uses
   * `formTag(form, content)`.
   */
  readonly formHtml: Html;
  /** The same, with HTML of yours behind some of its parts, such as a total: `formWith({ quantity: html`…` })`. */
  readonly formWith: (behind: { readonly [Name in keyof F]?: Html }) => Html;
}

/** The options of `formPage`: those of `formHandlers`, with a page whose form is drawn. */
export type FormPageOptions<C, F extends Fields, V, Loaded> = Carrying<C, F, V> &
  AroundForm<C, F, Loaded> & {
    /** As that of `readForm`: for a function that makes a form with files. */
    readonly base?: SomeForm;
    /** As that of `readForm`. */
    readonly limit?: number;
    /** The text of the button; null for a form with a `buttonField`, which draws its own. */
    readonly button: string | null;
    /** The page, with status 200, or that of the refusal. */
    readonly show: (
      context: C & Loaded & ShownPage<F>,
    ) => Awaitable<Html | FormResponse | Advice<WhatIsShown>>;
  };

const PAGE_KINDS = {
  ...AROUND_KINDS,
  button: needed(or(TEXT, null), "'Save'"),
  base: OBJECT,
  limit: COUNT,
  show: needed(FUNCTION),
  middleware: LIST,
} satisfies OptionKinds<
  FormPageOptions<FormNeeds, Fields, unknown, unknown> & { readonly middleware?: unknown }
>;

export type SiteNeeds<C> = C extends FormNeeds
  ? unknown
  : Advice<`This router needs ${Lacking<C, Omit<FormNeeds, keyof Context>>}`>;

/** The end of the chain of a page's middleware. */
export type PageChain<C, Path extends string, Ms> = After<
  C & { readonly params: ParamsOf<Path> },
  Ms
>;
export type PageContext<C, Path extends string, Ms> = PageChain<C, Path, Ms>['context'];
export type MiddlewareNeeds<Sentence extends string> = [Sentence] extends [never]
  ? unknown
  : Advice<Sentence>;

/**
 * Makes the page of a form at one address: registers GET and POST of it, after the middleware. Throws for a form
 * without a button, and for one with a password that has `send`: it needs `act`.
 */
export function formPage<
  C extends Context,
  Names extends string,
  Prefix extends string,
  P extends string,
  F extends Fields,
  V,
  const Ms extends readonly AnyMiddleware[] = readonly [],
  Loaded = unknown,
>(
  router: Router<C, Names, Prefix> & SiteNeeds<C>,
  pattern: CheckedPattern<P>,
  form: FormSource<PageContext<C, `${Prefix}${P}`, Ms>, F, V>,
  options: FormPageOptions<PageContext<C, `${Prefix}${P}`, Ms>, F, V, Loaded> & {
    readonly middleware?: readonly [...Ms] &
      MiddlewareNeeds<PageChain<C, `${Prefix}${P}`, Ms>['sentence']>;
  },
): Router<C, Names | `GET ${Prefix}${P}` | `POST ${Prefix}${P}`, Prefix> {
  checkOptions('formPage', options, PAGE_KINDS);
  // The signature has checked the types of the context.
  const { button, middleware = [], show, ...rest } = options as unknown as AnyPage<F, V>;
  const checked = checkSource(
    form as FormSource<FormNeeds, F, V>,
    { owner: pattern, base: rest.base },
    (made) => {
      const hasButton = made.names.some((name) => isButton(made.fields[name]));
      if (hasButton !== (button !== null)) return;
      throw new TypeError(
        hasButton
          ? `Cannot add the button "${button}" to the form page of ${pattern}: the form has a buttonField, which draws its own. Write button: null.`
          : `Cannot make a form page of ${pattern} without a button: give it a text, or the form a buttonField.`,
      );
    },
  );
  const [read, send, shown] = createFormHandlers<FormNeeds>()(checked, {
    ...rest,
    name: pattern,
    show(context) {
      const { form, request } = context;
      const { translate } = languageOf(request);
      const last = button === null ? null : html`<button>${translate(button)}</button>\n`;
      // A copy, because a form that is drawn has used the space of its page.
      const formWith = (behind: Behind) => drawForm({ ...form }, last, behind);
      return show({ ...context, formHtml: drawForm(form, last), formWith });
    },
  }).post;
  const routes: AnyRouter = router;
  routes.register('GET', pattern, middleware, shown);
  routes.register('POST', pattern, [...middleware, read, send], shown as AnyFormHandler);
  return routes;
}

type AnyPage<F extends Fields, V> = FormPageOptions<FormNeeds, F, V, unknown> & {
  readonly middleware?: readonly AnyMiddleware[];
};

export type Behind = { readonly [name: string]: Html | undefined };

/** The summary of the errors, and the form with all its fields; `buttons` follow them. */
export function drawForm<F extends Fields>(
  form: FilledForm<F>,
  buttons: Html | null,
  behind: Behind = {},
): Html {
  const fields = Array.from(
    form,
    (part) =>
      html`${formField(form, part)}\n${Object.hasOwn(behind, part.key) ? behind[part.key] : null}`,
  );
  return html`${errorSummary(form)}${formTag(form, html`${fields}${buttons}`)}`;
}
