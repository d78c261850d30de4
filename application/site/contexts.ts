/** What the handlers of pages and of forms find in the context, by what stands before them in the chain. */
import { createFormHandlers, type LoggedIn, type SiteContext } from 'seeother';
import type { KyselyTransaction } from '../database/kysely.ts';
import type { SessionUser } from './session-user.ts';

/** Of every page. */
export type PageContext = SiteContext<KyselyTransaction, SessionUser>;

/** After a guard, such as `requireMember`. */
export type UserContext = PageContext & LoggedIn<SessionUser>;

/** For the forms behind a guard. */
export const formHandlers = createFormHandlers<UserContext>();
