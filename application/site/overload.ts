/**
 * The answer to a request that the service has no time for: a page for a person, plain text for a program.
 * It is made once, because under overload it is given thousands of times.
 */
import { page, type Request, type Response, text } from 'seeother';
import { errorPage } from './error-page.ts';
import { acceptsHtml } from './failures.ts';

const MESSAGE = 'This site is receiving too many requests right now.';
const FORM_MESSAGE = `${MESSAGE} Go back to the form, where everything is as you typed it, and send it again.`;
/** Seconds. */
const RETRY_AFTER = '5';

export function createBusyAnswer(): (request: Request) => Response {
  const [plain, list, form] = [text(`${MESSAGE}\n`, 503), show(false), show(true)].map(retryLater);
  return ({ method, headers }) => {
    if (method === 'POST') return form as Response;
    return (acceptsHtml(headers['accept']) ? list : plain) as Response;
  };
}

function show(isForm: boolean): Response {
  const message = isForm ? FORM_MESSAGE : MESSAGE;
  const view = { status: 503, message, mayBeSaved: false, id: null, isForm, typed: [] };
  return page(errorPage({ ...view, viewer: null, logIn: null }), 503);
}

function retryLater(response: Response): Response {
  return {
    ...response,
    headers: Object.freeze({ ...response.headers, 'Retry-After': RETRY_AFTER }),
  };
}
