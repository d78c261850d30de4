/**
 * The pages of a form in steps: one for each step, and one with all answers. Each is a form at an address of its own,
 * so it can be reloaded, left and linked to, and several tabs hold different answers.
 *
 * Only the last form has a receipt. A step that is sent twice stores the same answer twice.
 */

import { hash } from 'node:crypto';
import type { AnyMiddleware, Context, Next } from '../chain/context.ts';
import { buttonsOf } from '../field/button-field.ts';
import { hiddenField } from '../field/fields.ts';
import { bindForm } from '../form/bound-part.ts';
import { MAX_DRAFT_LENGTH, restoreDraft } from '../form/carry-draft.ts';
import {
  type AnyFilledForm,
  defineForm,
  type Fields,
  type FilledForm,
  type Form,
} from '../form/define-form.ts';
import type { TextTree } from '../form/field-set.ts';
import { errorSummary, formTag } from '../form/form-markup.ts';
import type { FormSource } from '../form/form-source.ts';
import type { FormContext } from '../form/read-form.ts';
import { LANGUAGE, settleTexts } from '../form/rewrite-texts.ts';
import { findField, toEntries } from '../form/sent-fields.ts';
import type { Awaitable } from '../http/awaitable.ts';
import {
  checkOptions,
  FLAG,
  FUNCTION,
  LIST,
  needed,
  OBJECT,
  type OptionKinds,
  TEXT,
} from '../http/check-options.ts';
import { type Href, localPath } from '../http/href.ts';
import { type Html, html } from '../http/html.ts';
import { HttpError } from '../http/http-error.ts';
import { languageOf } from '../http/request-language.ts';
import { type Response, seeOther } from '../http/response.ts';
import { toTypedPath } from '../http/target.ts';
import type { Entry } from '../http/urlencoded.ts';
import { type CarriedOut, requireDestination } from '../once/only-once.ts';
import type { AnyFormHandler } from '../router/chain-types.ts';
import type { CheckedPattern } from '../router/path-params.ts';
import type { AnyRouter, Router } from '../router/router.ts';
import { isOfOtherAccount, newKey } from '../session/form-key.ts';
import {
  createFormHandlers,
  type FormNeeds,
  type FormResponse,
  isRefused,
  type Refused,
  type TransactionOf,
} from '../site/form-handlers.ts';
import {
  type Behind,
  drawForm,
  type MiddlewareNeeds,
  type PageChain,
  type PageContext,
  type SiteNeeds,
} from '../site/form-page.ts';
import { discardFiles, parkFiles, sendAnswered, toReading } from './answer-files.ts';
import { browserTokens, withBrowserCookie, withSentCookie } from './browser-cookie.ts';
import { drawOverview } from './draw-overview.ts';
import { AT, FILE, listAnswers } from './list-answers.ts';
import {
  type AnyForm,
  type AnySets,
  type CheckedStep,
  fillAnswer,
  type Progress,
  type ReachedStep,
  readProgress,
  type SentText,
  type Step,
  type Steps,
} from './steps.ts';
import {
  type AnswersContext,
  claimAnswers,
  inDays,
  loadAnswers,
  putAnswers,
  requireOwn,
  type StoredAnswers,
  saveAnswer,
  toCompared,
  toId,
} from './stored-answers.ts';
import { type LimitAnswers, limitAnswers, type VisitorLimits } from './visitor-answers.ts';

/** What `show` gets besides the context: the page of a step, or that of all answers. */
export interface ShownStep<Names extends string, Answers = unknown> {
  /** The name of the step; `check` for the page of all answers. */
  readonly step: Names | 'check';
  readonly title: string;
  /**
   * "Step 2 of 4"; without the last number while it depends on answers to come. Null for `check`, and for a step whose
   * number does.
   */
  readonly position: string | null;
  /** All steps as links, with what is missing. The page of all answers is the last one. */
  readonly overview: Html;
  /** The form of the page, for `formTitle`; in `show`, after a check of `step`, also for `valuesOf`. */
  readonly form: AnyFilledForm;
  /** The form of the step; for `check`, the list of the answers, and the form that sends them. */
  readonly formHtml: Html;
  /**
   * The same, with HTML of yours behind some of the parts of a step; for `check`, behind the answers to a step, such as
   * a total: `formWith({ room: html`…` })`.
   */
  readonly formWith: (behind: Behind) => Html;
  /** The valid answers so far, such as for a total. */
  readonly answers: Partial<Answers>;
}

/** What `show` gets: the form of a step has its own fields, for `valuesOf`. */
type ShownOf<Names extends string, Answers, Sets> =
  | (ShownStep<Names, Answers> & { readonly step: 'check' })
  | {
      [Name in Names & keyof Sets]: Omit<ShownStep<Names, Answers>, 'step' | 'form'> & {
        readonly step: Name;
        readonly form: Sets[Name] extends Fields ? FilledForm<Sets[Name]> : AnyFilledForm;
      };
    }[Names & keyof Sets];

interface KeyParams {
  /** `key` is that of the address of the answers; undefined on the first page, where new ones start. */
  readonly params: { readonly key?: string };
}

interface SentParams {
  readonly params: { readonly key: string };
}

export interface StepPagesOptions<C, Answers, Names extends string, Sets = AnySets<Names>> {
  /** The text of the last button, which sends all answers. */
  readonly button: string;
  /** How long answers are stored after the last change; 7 by default. */
  readonly days?: number;
  /** What visitors without a session may store. */
  readonly visitors?: VisitorLimits;
  /**
   * Whether the address of a visitor's answers opens them in any browser, such as on another device. By default, only
   * in the browser that has started them, which needs cookies. A function decides for each visitor, by the valid
   * answers so far: `({ contact }) => contact?.share === true`, with a checkbox. It is called at each request.
   */
  readonly shared?: boolean | ((answers: Partial<Answers>) => boolean);
  /** The fields of the first page that its query fills, as in `?course=7`: see `formLink`. */
  readonly linked?: readonly string[];
  /** All pages, with status 200, or that of the refusal. */
  readonly show: (
    context: C & KeyParams & ShownOf<Names, Answers, Sets>,
  ) => Awaitable<Html | FormResponse>;
  /**
   * As the `send` of a form. All answers are valid; they are marked as sent in the same transaction. Errors have
   * `field: null`: the page of all answers shows them.
   */
  readonly send: (
    context: C & SentParams & { readonly answers: Answers; readonly transaction: TransactionOf<C> },
  ) => Awaitable<CarriedOut | Refused<Record<never, never>>>;
}

const PAGES_KINDS = {
  button: needed(TEXT, "'Book'"),
  days: {
    noun: 'a number above 0',
    accepts: (value) => typeof value === 'number' && value > 0,
  },
  visitors: OBJECT,
  shared: {
    noun: 'true, false, or a function of the answers',
    accepts: (value) => FLAG.accepts(value) || FUNCTION.accepts(value),
  },
  linked: LIST,
  show: needed(FUNCTION),
  send: needed(FUNCTION),
  middleware: LIST,
} satisfies OptionKinds<
  StepPagesOptions<FormNeeds, unknown, string> & { readonly middleware?: unknown }
>;

type StepRoutes<P extends string, Names extends string> =
  | `${'GET' | 'POST'} ${P}`
  | `${'GET' | 'POST'} ${P}/:key/${Names | 'check'}`;

/**
 * Makes the pages of the steps: `/book` is the first one, for new answers, `/book/:key/room` that of a step, and
 * `/book/:key/check` shows all answers and sends them. Answers are stored when the first form is sent. A user's are a
 * 404 for other users; a visitor's are a 404 in other browsers, unless they are `shared`, and become those of the first
 * user who opens one of their pages.
 */
export function stepPages<
  C extends Context,
  RouteNames extends string,
  Prefix extends string,
  P extends string,
  Answers,
  Names extends string,
  Sets,
  const Ms extends readonly AnyMiddleware[] = readonly [],
>(
  router: Router<C, RouteNames, Prefix> & SiteNeeds<C>,
  pattern: CheckedPattern<P>,
  steps: Steps<Answers, Names, Sets>,
  options: StepPagesOptions<PageContext<C, `${Prefix}${P}`, Ms>, Answers, Names, Sets> & {
    readonly middleware?: readonly [...Ms] &
      MiddlewareNeeds<PageChain<C, `${Prefix}${P}`, Ms>['sentence']>;
  },
): Router<C, RouteNames | StepRoutes<`${Prefix}${P}`, Names>, Prefix> {
  checkOptions('stepPages', options, PAGES_KINDS);
  const { list } = steps;
  const [first] = list;
  if (first === undefined) {
    throw new TypeError(
      `Cannot make the pages of ${pattern} without a step: pass steps().step('contact', form, { title: 'Your details' }).`,
    );
  }
  // The signature has checked the types of the context.
  const {
    middleware = [],
    days = 7,
    visitors,
    shared = false,
    linked = [],
    ...rest
  } = options as unknown as AnyPages;
  const pages = { list, days, limit: limitAnswers(visitors), shared, linked, ...rest };
  const routes: AnyRouter = router;
  const register = (path: string, step: Step | null) => {
    const { form, read, send, show } =
      step === null ? createCheckPage(pages) : createStepPage(pages, step);
    const chain = [loadAnswers(pages, step, form), ...middleware, claimAnswers(days)];
    routes.register('GET', path, chain, show);
    routes.register('POST', path, [...chain, read, send], show as AnyFormHandler);
  };
  const keyed = `${pattern === '/' ? '' : pattern}/:key`;
  register(pattern, first);
  for (const step of list) register(`${keyed}/${step.name}`, step);
  register(`${keyed}/check`, null);
  return routes;
}

type AnyPages = StepPagesOptions<FormNeeds, unknown, string> & {
  readonly middleware?: readonly AnyMiddleware[];
};
type Pages = Required<Omit<AnyPages, 'middleware' | 'visitors'>> & {
  readonly list: readonly Step[];
  readonly limit: LimitAnswers;
};
type PageNeeds = FormNeeds & AnswersContext & SentParams;
type SentContext = PageNeeds & FormContext<Fields, unknown>;

type CheckedContext = PageNeeds & Omit<CheckedStep<unknown, Fields>, 'answers'>;
type Again = Next<SentContext>;

/** What follows the middleware of a page. `form` is null if it depends on the answers. */
interface PageEnd {
  readonly form: AnyForm | null;
  readonly read: (context: PageNeeds, next: Again) => Awaitable<Response>;
  readonly send: (context: SentContext, next: Again) => Awaitable<Response>;
  readonly show: (context: PageNeeds | SentContext) => Awaitable<Response>;
}

function createStepPage(pages: Pages, step: Step): PageEnd {
  const { list, days } = pages;
  const find = ({ steps }: AnswersContext) =>
    steps.progress.reached.find((one) => one.step === step);
  const save = async (
    context: PageNeeds & Pick<SentContext, 'form'>,
    answer: readonly SentText[],
    toNext: (progress: Progress) => ReachedStep | null,
  ) => {
    const { request, steps } = context;
    const { key, stored, token } = await saveAnswer(context, pages, step.name, answer);
    await parkFiles(context, stored.answers, inDays(days));
    if (stored.sent !== null) return seeOther(localPath(stored.sent));
    const next = toNext(await readProgress(list, stored.answers, toReading(context)));
    const query = isChange(context) && next !== null ? '?change' : '';
    const response = seeOther(toPage(steps.base, key, next?.step.name ?? 'check', query));
    return token === null ? response : withBrowserCookie(response, request, key, token, days);
  };
  // A step whose page is shown or sent is reached.
  const source: FormSource<PageNeeds, Fields, unknown> =
    typeof step.form === 'function'
      ? (context) => (find(context) as ReachedStep).make(context.typed)
      : (step.form as Form<Fields, unknown>);
  const checkSent = async ({ request, values, errors, ...context }: CheckedContext) =>
    (await find(context)?.check?.({ values, errors }, languageOf(request))) ?? [];
  const { post } = createFormHandlers<PageNeeds>()(source, {
    name: step.name,
    // `loadAnswers` tells the request its form before anything can refuse it.
    ...(typeof step.form === 'function' ? { base: checkForm } : {}),
    // A repeat stores the same answer.
    once: false,
    linked: step === list[0] ? pages.linked : [],
    ...(step.check === null ? {} : { check: checkSent }),
    act: (context) =>
      save(context, toSettled(context), ({ reached, open }) => {
        const at = reached.findIndex((one) => one.step === step);
        return (isChange(context) ? null : reached[at + 1]) ?? open;
      }),
    show: (context) => {
      const { request, steps } = context;
      const { reached, total } = steps.progress;
      const at = reached.findIndex((one) => one.step === step);
      const { translate, words } = languageOf(request);
      const number = reached[at]?.number ?? null;
      const position = number === null ? null : words.stepNumber(number, total);
      const hasButton = buttonsOf(context.form.definition.fields).length > 0;
      const next = hasButton ? null : html`<button>${words.nextStep}</button>\n`;
      const back = html`<button class="quiet" formaction="?back">${words.stepBack}</button>\n`;
      const hasBack = at > 0 && !isChange(context);
      const buttons = html`${next}${hasBack ? back : null}`;
      const formWith = (behind: Behind) => drawForm({ ...context.form }, buttons, behind);
      return pages.show({
        ...context,
        step: step.name,
        title: translate(step.title),
        position,
        overview: overviewOf(list, step, context),
        formHtml: drawForm(context.form, buttons),
        formWith,
        answers: steps.progress.answers,
      });
    },
  });
  const [read, send, show] = post;
  const goBack: PageEnd['send'] = (sent, next) => {
    const answer = toAnswer(sent);
    const isShort = JSON.stringify(answer).length <= MAX_DRAFT_LENGTH;
    const isOther = isOfOtherAccount(sent.form.once, sent.session);
    if (!sent.request.query.has('back') || !isShort || isOther) return send(sent, next);
    return save(sent, answer, ({ reached }) => {
      const at = reached.findIndex((one) => one.step === step);
      return reached[at - 1] ?? null;
    });
  };
  return {
    form: typeof step.form === 'function' ? null : step.form,
    read(context, next) {
      if (find(context) === undefined) throw new HttpError(409, ({ words }) => words.stepLeftOut);
      return read(context, next);
    },
    send: goBack,
    show(context) {
      const reached = find(context);
      if (reached === undefined) return seeOther(toOpenPage(context.steps));
      const file = context.request.query.get(FILE);
      if (file !== null && !('form' in context))
        return sendAnswered(context, reached, file, context.request.query.get(AT));
      if ('form' in context || reached.entries === null) return show(context);
      return show(restoreDraft(reached.form, context) ? context : withStored(context, reached));
    },
  };
}

/** A step with an answer opens to change it, with its errors. */
function overviewOf(
  list: readonly Step[],
  current: Step | null,
  { request, steps }: PageNeeds,
): Html {
  const { base, key, progress } = steps;
  const hasAnswer = (step: Step) =>
    progress.reached.some((one) => one.step === step && one.entries !== null);
  const pageOf = (step: Step | null) => {
    if (key === null) return null;
    if (step === null) return toPage(base, key, 'check');
    return toPage(base, key, step.name, hasAnswer(step) ? '?change' : '');
  };
  return drawOverview(list, progress, { current, toPage: pageOf, language: languageOf(request) });
}

function entriesOf(reached: readonly ReachedStep[]): readonly Entry[] {
  return reached.flatMap(({ entries }) => entries ?? []);
}

/** The fields of the form as they were sent, and the language that they were typed in. */
function toAnswer({ form, request }: Pick<SentContext, 'form' | 'request'>): readonly SentText[] {
  const { definition, sent = [] } = form;
  const declared = sent.filter(({ name }) => findField(definition, name) !== null);
  return [...declared, { name: LANGUAGE, text: languageOf(request).code }];
}

/** The fields of a valid form, without what they ignore. */
function toSettled({ form, request }: Pick<SentContext, 'form' | 'request'>): readonly SentText[] {
  const { definition, sent = [], text } = form;
  const language = languageOf(request);
  const toKey = (name: string, text: string) => `${name} ${text}`;
  const files = new Map(sent.map(({ name, text, sha256 }) => [toKey(name, text), sha256]));
  const texts = settleTexts(definition, text as TextTree, language);
  const settled = toEntries(bindForm({ definition, text: texts })).flatMap(([name, own]) => {
    const sha256 = files.get(toKey(name, own));
    if (own === '') return [];
    return sha256 === undefined ? { name, text: own } : { name, text: own, sha256 };
  });
  return [...settled, { name: LANGUAGE, text: language.code }];
}

/** With the stored answer in the form; with its errors, if the page of all answers has led here. */
function withStored(context: PageNeeds, reached: ReachedStep): PageNeeds | SentContext {
  const { validation } = reached;
  const filled = {
    ...fillAnswer(reached, languageOf(context.request)),
    once: newKey(context.session?.user),
  };
  const shown = isChange(context) && validation?.valid === false ? { validation } : {};
  return { ...context, form: filled, ...shown } as SentContext;
}

/** Whether the page was opened to change one answer: then all answers follow, or the next one that is not valid. */
function isChange({ request }: Context): boolean {
  return request.query.has('change');
}

/** The page of a step; without one, that of all answers. */
function toPage(base: string, key: string, name: string, query = ''): Href {
  return localPath(`${toTypedPath(base)}/${key}/${name}${query}`);
}

function toOpenPage({ base, key, progress: { open } }: AnswersContext['steps']): Href {
  return open === null
    ? toPage(base, key ?? '', 'check')
    : toPage(base, key ?? '', open.step.name, '?change');
}

/** The answers that the page has shown: what is sent is what was read. */
const checkForm: AnyForm = defineForm({ answers: hiddenField({ inDraft: 'alone' }) });

function createCheckPage(pages: Pages): PageEnd {
  const { button, days, list } = pages;
  const { post } = createFormHandlers<PageNeeds>()(checkForm, {
    name: 'check',
    show(context) {
      const { request, steps } = context;
      const language = languageOf(request);
      const revision = html`<input type="hidden" name="answers" value="${toRevision(steps.stored)}">`;
      const form = formTag(
        context.form,
        html`${revision}\n<button>${language.translate(button)}</button>\n`,
      );
      const toStep = (name: string, query: string) =>
        toPage(steps.base, steps.key ?? '', name, query);
      const summary = errorSummary(context.form);
      const formWith = (behind: Behind) =>
        html`${summary}${listAnswers(steps.progress.reached, { toStep, behind, language })}${form}`;
      const page = {
        step: 'check',
        title: language.words.checkAnswers,
        position: null,
        overview: overviewOf(list, null, context),
        formHtml: formWith({}),
        formWith,
        answers: steps.progress.answers,
      };
      return pages.show({ ...context, ...page });
    },
    async send(context) {
      const { request, session, steps, stores, transaction, values } = context;
      const id = toId(steps.base, steps.key ?? '');
      const tokens = browserTokens(request, steps.key ?? '');
      const found = requireOwn(await stores.values.find(id, transaction), context, tokens);
      if (found.sent !== null) return localPath(found.sent);
      const revision = toRevision(found);
      if (values.answers !== revision || toRevision(steps.stored) !== revision) {
        return {
          errors: [{ field: null, message: languageOf(request).words.answersChanged }],
          status: 409,
        };
      }
      const done = await pages.send({ ...context, answers: steps.progress.answers });
      if (isRefused<Record<never, never>>(done)) return done;
      const path = requireDestination(done, 'send of the steps');
      const sent = typeof path === 'string' ? path : path.path;
      await putAnswers(stores.values, id, { ...found, sent }, session, days, transaction);
      return path;
    },
  });
  const isOpen = ({ progress, stored }: AnswersContext['steps']) =>
    progress.open !== null && stored?.sent === null;
  const [read, send, show] = post;
  return {
    form: checkForm,
    read(context, next) {
      const { steps } = context;
      if (isOpen(steps)) return seeOther(toOpenPage(steps));
      // All copies of the page are one form: it is sent once, from whichever tab.
      return read(context, (sent) =>
        next({ ...sent, form: { ...sent.form, once: steps.key, sent: [] } }),
      );
    },
    async send(context, next) {
      const response = await send(context, next);
      if (response.status !== 303) return response;
      await discardFiles(context, entriesOf(context.steps.progress.reached));
      return withSentCookie(response, context.request, context.steps.key ?? '');
    },
    show: (context) =>
      isOpen(context.steps) ? seeOther(toOpenPage(context.steps)) : show(context),
  };
}

function toRevision(stored: StoredAnswers | null): string {
  const answers = Object.entries(stored?.answers ?? {});
  const compared = answers.map(([name, sent]) => [name, toCompared(sent)]);
  return hash('sha256', JSON.stringify(compared), 'base64url').slice(0, 22);
}
