/** Discards the draft that a log-in has carried along. */
import {
  type Context,
  dropDraft,
  type Handler,
  type LoggedIn,
  localPath,
  type Response,
  seeOther,
  withSession,
} from 'seeother';
import { href } from '../links.ts';

/** Redirects to the page of the form, which is then empty. */
export const discardDraft: Handler<Context & LoggedIn, Response<303>> = ({ session: { draft } }) =>
  withSession(seeOther(draft === null ? href('/items') : localPath(draft.path)), dropDraft);
