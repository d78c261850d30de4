/**
 * Every error answer: a page for a person, plain text for a program. A refused form gives back what
 * was typed, and a form that was sent without a session gets the log-in form, with the draft in it.
 */
import {
  acceptsHtml,
  againForm,
  type Context,
  page,
  type Response,
  readAgain,
  readTyped,
  sessionOf,
  text,
} from 'seeother';
import { languageOf } from 'seeother/languages';
import type { Failure } from 'seeother/middleware';
import type { Accounts } from '../accounts/accounts.ts';
import { toViewer } from '../site/layout.ts';
import { type ErrorView, errorPage } from './error-page.ts';

type LogInForm = Pick<Accounts, 'keepsDraft' | 'logInForm'>;

export function createShowFailure(accounts: LogInForm) {
  return (failure: Failure, context: Context) => showFailure(failure, context, accounts);
}

async function showFailure(
  failure: Failure,
  context: Context,
  accounts: LogInForm,
): Promise<Response> {
  const { request } = context;
  const isForm = request.method === 'POST';
  if (!isForm && !acceptsHtml(request)) {
    return text(
      `${failure.message ?? `${failure.title}.`}\nReference: ${failure.id}\n`,
      failure.status,
    );
  }
  const { status, reason } = failure;
  const viewer = toViewer({ session: sessionOf(request), flash: null });
  const again = isForm && failure.mayHelpAgain ? await readAgain(context) : null;
  const view: ErrorView = {
    ...failure,
    id: failure.isInLog ? failure.id : null,
    isForm,
    typed: isForm && failure.returnsTyped ? await readTyped(context) : [],
    viewer,
    reason: viewer?.role === 'administrator' ? reason : null,
    // What another site has sent is in no form of ours.
    logIn: isForm && !failure.isCrossOrigin ? await accounts.logInForm(context) : null,
    keepsDraft: isForm && (await accounts.keepsDraft(context)),
    again: again && againForm(again, languageOf(request)),
  };
  return page(errorPage(view), status);
}
