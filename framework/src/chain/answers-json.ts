/**
 * Whether a request is answered in JSON: what its route offers, and what its `Accept` prefers (RFC 9110, section
 * 12.5.1). The route tells it before its middleware runs, so an error page knows it too.
 */
import type { RequestHeaders } from '../http/request.ts';
import { readWeights } from '../http/weights.ts';
import type { Context, RouteName } from './context.ts';
import { descriptionOf } from './describe-middleware.ts';

/**
 * `asked`: a page, or JSON if the client prefers it. `always`: JSON, unless the client prefers a page. Null for a route
 * that answers with pages alone.
 */
export function jsonOfferOf(route: RouteName | null): 'asked' | 'always' | null {
  for (const one of route?.middleware ?? []) {
    const offer = descriptionOf(one)?.json;
    if (offer !== undefined) return offer;
  }
  return null;
}

export function answersJson({ request, route }: Pick<Context, 'request' | 'route'>): boolean {
  const offer = jsonOfferOf(route);
  if (offer === null) return false;
  const preference = preferJson(request.headers);
  return offer === 'asked' ? preference > 0 : preference >= 0;
}

/**
 * Above 0 if the client prefers JSON, below 0 if it prefers a page. With equal weights it prefers the type that it
 * names: programs that read JSON often send `application/json, *\/*`.
 */
export function preferJson({ accept }: RequestHeaders): number {
  if (accept === undefined) return 0;
  // Parameters other than the weight.
  const weights = readWeights(accept.replaceAll(/;(?![\t ]*q=)[^;,]*/gi, ''));
  const rank = (...ranges: readonly string[]) => {
    const at = ranges.findIndex((range) => weights.has(range));
    const weight = weights.get(ranges[at] ?? '') ?? 0;
    return weight === 0 ? 0 : weight + (at === 0 ? 0.0001 : 0);
  };
  return rank('application/json', 'application/*', '*/*') - rank('text/html', 'text/*', '*/*');
}
