/** A route as data, for the router and for code that inspects routes without a router. */
import type { AnyMiddleware, Handler } from '../chain/context.ts';

export type Method = 'GET' | 'POST';

/** A registered route, as data. `Name` is method and pattern, such as `GET /items`. */
export interface Route<Name extends string = string> {
  readonly name: Name;
  readonly method: Method;
  readonly pattern: string;
  readonly middleware: readonly AnyMiddleware[];
  // biome-ignore lint/suspicious/noExplicitAny: each handler has its own context type, checked at registration.
  readonly handler: Handler<any>;
  /** Whether it takes posts from elsewhere, which have no session: see `acceptCrossOrigin`. */
  readonly acceptsCrossOrigin: boolean;
  /** Where it was registered, such as `router.ts:42:6`, or null if unknown. */
  readonly registeredAt: string | null;
}
