/** A route as data: what the router holds, and what looks at routes without a router. */
import type { AnyMiddleware, Handler } from '../chain/context.ts';

export type Method = 'GET' | 'POST';

/** `Name` is the method and the pattern, as text: `GET /items`. */
export interface Route<Name extends string = string> {
  readonly name: Name;
  readonly method: Method;
  readonly pattern: string;
  readonly middleware: readonly AnyMiddleware[];
  // biome-ignore lint/suspicious/noExplicitAny: each handler has its own context, checked where it was registered.
  readonly handler: Handler<any>;
  /** The file and line that registered it, such as `router.ts:42:6`, or null when it is not known. */
  readonly registeredAt: string | null;
}
