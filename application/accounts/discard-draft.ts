/** Discards the draft that a log-in has carried along. */
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

/** Redirects to the page of the form, which is then empty. */
export const discardDraft: Handler<Context & LoggedIn, FormAnswer> = ({ session: { draft } }) =>
  withSession(seeOther(draft === null ? href('/items') : localPath(draft.path)), dropDraft);
