/**
 * A list as a route, as `formPage` is a form as one. With ticks, the route is that of a form whose page is the list: so
 * a refused form shows the list again, at the same place.
 */
import type { AnyMiddleware, Context } from '../chain/context.ts';
import { isButton } from '../field/button-field.ts';
import { isTicks } from '../field/ticks-field.ts';
import type { Fields, FilledForm, Form } from '../form/define-form.ts';
import type { Awaitable } from '../http/awaitable.ts';
import {
  checkOptions,
  FUNCTION,
  LIST,
  needed,
  OBJECT,
  type OptionKinds,
  TEXT,
} from '../http/check-options.ts';
import type { CsvOptions } from '../http/csv.ts';
import type { Html } from '../http/html.ts';
import { page, type Response } from '../http/response.ts';
import type { AnyFormHandler } from '../router/chain-types.ts';
import type { CheckedPattern } from '../router/path-params.ts';
import type { AnyRouter, Router } from '../router/router.ts';
import {
  type AroundForm,
  type Carrying,
  createFormHandlers,
  type FormNeeds,
  type FormResponse,
  type ShownForm,
} from '../site/form-handlers.ts';
import type { MiddlewareNeeds, PageChain, PageContext, SiteNeeds } from '../site/form-page.ts';
import type { AnyList, List } from './define-list.ts';
import { listCsv } from './list-csv.ts';
import { READ_LIST_KINDS, type ReadList, type ReadOptions, readDrawn } from './read-list.ts';

/** The form over the ticks of a list: one with a `ticksField`, and what `formPage` takes of any other. */
export type ListTicks<C, F extends Fields, V> = Carrying<C, F, V> &
  Pick<AroundForm<C, F, unknown>, 'check' | 'fill'> & {
    readonly form: Form<F, V>;
    /** The text of its button, for a form without a `buttonField`. */
    readonly button?: string;
  };

/** The options of `listPage`. */
export type ListPageOptions<C, Row, Sort extends string, V, K, F extends Fields, T> = ReadOptions<
  C,
  Row,
  Sort,
  V,
  K
> & {
  /** The file name of the same rows as CSV, which the page links to; or the options of `csv`. */
  readonly csv?: string | (CsvOptions & Required<Pick<CsvOptions, 'name'>>);
  readonly ticks?: ListTicks<C, F, T>;
  readonly show: (
    context: C &
      ReadList<Row, Sort, V> & { readonly form: Pick<FilledForm<F>, 'errors' | 'language'> },
  ) => Awaitable<Html | FormResponse>;
};

const LIST_PAGE_KINDS = {
  ...READ_LIST_KINDS,
  csv: {
    noun: 'a file name or the options of csv',
    example: "{ name: 'things.csv', separator: ';' }",
    accepts: (value) => TEXT.accepts(value) || OBJECT.accepts(value),
  },
  ticks: OBJECT,
  show: needed(FUNCTION),
  middleware: LIST,
} satisfies OptionKinds<
  ListPageOptions<FormNeeds, unknown, string, unknown, undefined, Fields, unknown> & {
    readonly middleware?: unknown;
  }
>;

/** Registers GET of the page of a list, after the middleware; and POST, if it has `ticks`. */
export function listPage<
  C extends Context,
  Names extends string,
  Prefix extends string,
  P extends string,
  Row,
  Sort extends string,
  V,
  const K = undefined,
  F extends Fields = never,
  T = never,
  const Ms extends readonly AnyMiddleware[] = readonly [],
>(
  router: Router<C, Names, Prefix> & SiteNeeds<C>,
  pattern: CheckedPattern<P>,
  list: List<Row, Sort, V>,
  options: ListPageOptions<PageContext<C, `${Prefix}${P}`, Ms>, Row, Sort, V, K, F, T> & {
    readonly middleware?: readonly [...Ms] &
      MiddlewareNeeds<PageChain<C, `${Prefix}${P}`, Ms>['sentence']>;
  },
): Router<
  C,
  Names | `GET ${Prefix}${P}` | ([F] extends [never] ? never : `POST ${Prefix}${P}`),
  Prefix
> {
  checkOptions('listPage', options, LIST_PAGE_KINDS);
  // The signature has checked the types of the context.
  const { middleware = [], show, ticks, csv, ...reading } = options as unknown as AnyListPage;
  const any = list as unknown as List<unknown, string, unknown>;
  const routes: AnyRouter = router;
  const draw = async (context: FormNeeds, form: FilledForm<Fields> | null) => {
    const ticking = form === null ? null : { form, button: ticks?.button ?? null };
    const read = await readDrawn(context, any, reading, { csv: csv !== undefined, ticking });
    return show({ ...context, ...read, form: form ?? {} });
  };
  const get = (showPage: (context: FormNeeds) => Awaitable<Response>) =>
    routes.register('GET', pattern, middleware, async (context: FormNeeds) => {
      const isFile = csv !== undefined && context.request.query.get('as') === 'csv';
      const named = typeof csv === 'string' ? { name: csv } : csv;
      const file = isFile ? await listCsv(context, any, reading, named ?? {}) : null;
      return file ?? showPage(context);
    });
  if (ticks === undefined) {
    get(async (context) => {
      const shown = await draw(context, null);
      return 'markup' in shown ? page(shown) : shown;
    });
    return routes;
  }
  checkTicks(pattern, any, ticks);
  const { form, button: _, ...carrying } = ticks;
  const [read, send, shown] = createFormHandlers<FormNeeds>()(form, {
    ...carrying,
    name: pattern,
    show: (context: FormNeeds & ShownForm<Fields>) => draw(context, context.form),
  } as never).post;
  get(shown as (context: FormNeeds) => Awaitable<Response>);
  routes.register('POST', pattern, [...middleware, read, send], shown as AnyFormHandler);
  return routes;
}

type AnyListPage = ListPageOptions<
  FormNeeds,
  unknown,
  string,
  unknown,
  undefined,
  Fields,
  unknown
> & { readonly middleware?: readonly AnyMiddleware[] };

function checkTicks(
  pattern: string,
  { key, filter }: AnyList,
  { form, button }: NonNullable<AnyListPage['ticks']>,
): void {
  const cannot = `Cannot make the list ${pattern} with ticks`;
  if (key === null)
    throw new TypeError(
      `${cannot}: its definition needs key, such as key: 'id', for their values.`,
    );
  if (!Object.values(form.fields).some(isTicks))
    throw new TypeError(
      `${cannot}: their form has ${form.names.join(', ')}. Give it a ticksField.`,
    );
  const twice = form.names.find((name) => filter.names.includes(name));
  if (twice !== undefined)
    throw new TypeError(
      `${cannot}: their form and the filters both have a field ${JSON.stringify(twice)}. Rename one, as a page needs different ids.`,
    );
  const hasButton = Object.values(form.fields).some(isButton);
  if (hasButton === (button !== undefined))
    throw new TypeError(
      hasButton
        ? `${cannot} and the button "${button}": the form has a buttonField, which draws its own.`
        : `${cannot} without a button: give them button, such as button: 'Delete', or the form a buttonField.`,
    );
}
