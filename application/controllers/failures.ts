/**
 * Every error answer: a page for a person, plain text for a program. A refused form gives back what
 * was typed, and a form that was sent without a session gets the log-in form in its place.
 */
import {
  blankForm,
  type Context,
  type Failure,
  page,
  type Response,
  readEntries,
  sessionOf,
  text,
  toLocalPath,
} from 'seeother';
import { logInForm } from '../forms/account-forms.ts';
import { logInFormMarkup } from '../views/account-pages.ts';
import { type ErrorView, errorPage, type Typed } from '../views/error-page.ts';
import { toViewer } from '../views/layout.ts';

export function createFailurePage(bodyLimit: number) {
  return async function showFailure(failure: Failure, { request }: Context): Promise<Response> {
    const isForm = request.method === 'POST';
    if (!isForm && !acceptsHtml(request.headers['accept'])) {
      return text(
        `${failure.message ?? 'Something went wrong on our side.'}\nReference: ${failure.id}\n`,
        failure.status,
      );
    }
    const view: ErrorView = {
      ...failure,
      id: failure.status >= 500 ? failure.id : null,
      isForm,
      typed: isForm && failure.status !== 429 ? await typedFields(request, bodyLimit) : [],
      viewer: toViewer({ session: sessionOf(request), flash: null }),
    };
    if (failure.status !== 401) return page(errorPage(view), failure.status);
    const form = blankForm(logInForm, { next: formPage(request.headers['referer']) });
    return page(errorPage({ ...view, instead: logInFormMarkup(form, []) }), 401);
  };
}

/** A program that names what it takes, and no HTML among it, gets text. */
function acceptsHtml(accept: string | undefined): boolean {
  return accept === undefined || /text\/(html|\*)|\*\/\*/.test(accept);
}

/** What was typed, as far as it can be read: never a password, and not the framework's own fields. */
async function typedFields(request: Context['request'], limit: number): Promise<readonly Typed[]> {
  try {
    const entries = await readEntries(request, limit);
    return entries.filter(({ name, text }) => text !== '' && !/^_|pass|^next$/i.test(name));
  } catch {
    return [];
  }
}

/** The page with the form: where to go on after the log-in. Empty when the browser does not say. */
function formPage(referer: string | undefined): string {
  if (referer === undefined || !URL.canParse(referer)) return '';
  const { pathname, search } = new URL(referer);
  return toLocalPath(pathname + search) ?? '';
}
