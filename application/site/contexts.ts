/** What the handlers of pages and of forms find in the context, by what stands before them in the chain. */
import type { Context, LoggedIn, OnceContext, SessionContext } from 'seeother';
import type { Writing } from '../database/database.ts';
import type { SessionUser } from './session-user.ts';

/** Of every page. */
export type PageContext = Context & SessionContext<SessionUser>;

/** After a guard, such as `requireMember`. */
export type UserContext = PageContext & LoggedIn<SessionUser>;

/** After a guard and `onlyOnce`: of a form that writes. */
export type WritingContext = UserContext & OnceContext<Writing>;
