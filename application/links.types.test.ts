/** The names in links.ts are those of the routes in router.ts: the compiler says which differ. */
import type { RouteNames } from 'seeother';
import type { RouteName } from './links.ts';
import type { createApplication } from './router.ts';

type Served = RouteNames<ReturnType<typeof createApplication>>;

/** Holds only when there is nothing of `Difference`. */
function assertNone<Difference extends never>(): Difference[] {
  return [];
}

assertNone<Exclude<RouteName, Served>>();
assertNone<Exclude<Served, RouteName>>();
