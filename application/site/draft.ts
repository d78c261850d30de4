/** What was typed before a log-in, and is not wanted after all. */
import {
  type Context,
  dropDraft,
  type FormAnswer,
  type Handler,
  type LoggedIn,
  localPath,
  seeOther,
  withSession,
} from 'seeother';
import { href } from '../links.ts';

/** Leads back to the page of the form, which is empty then. */
export const discardDraft: Handler<Context & LoggedIn, FormAnswer> = ({ session: { draft } }) =>
  withSession(seeOther(draft === null ? href('/items') : localPath(draft.path)), dropDraft);
