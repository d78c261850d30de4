/**
 * The addresses of a form: that of its page, and that its page sends it to. A page keeps its query, such as
 * `?course=7`: the form is sent with it, so that `load`, `send` and the page of a refused form read the same.
 */
import { toLocalPath } from '../http/local-path.ts';
import { createLinks } from '../router/links.ts';
import type { PathParams } from '../router/pattern.ts';
import { toPath } from '../session/draft.ts';
import type { RouteForm } from './form-of.ts';

/** The queries of the framework's own, which belong to one request and not to the page. */
const OWN = /^(?:send=?|back=?|sent=.*|)$/;

/** The query of the page, as it was typed; empty without one. */
function queryOf(target: string): string {
  const path = toPath(target);
  const pieces = target.slice(path.length + 1).split('&');
  return pieces.filter((piece) => !OWN.test(piece)).join('&');
}

/** Where the page at the target sends its form: `?send`, with the query of the page. */
export function toSendAction(target: string): string {
  const query = queryOf(target);
  return query === '' ? '?send' : `?send&${query}`;
}

const { href } = createLinks<string>();

/**
 * The page with the form that is sent to the target, with its query. `page` may be the pattern of a path, such as
 * `/items/:number<int>`, with parameters of the route.
 */
export function toPageAddress(
  { page }: Pick<RouteForm, 'page'>,
  target: string,
  params: PathParams | undefined,
): string {
  const path =
    page === null ? toPath(target) : page.includes('/:') ? toHref(page, params ?? {}) : page;
  const query = queryOf(target);
  if (query === '' || path.includes('?')) return path;
  // As browsers write it, such as %27: a draft with another path would not be read.
  return toLocalPath(`${path}?${query}`) ?? path;
}

/** The compiler does not know the routes here. */
const toHref = href as unknown as (pattern: string, params: PathParams) => string;
