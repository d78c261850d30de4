/**
 * The 503 answers under overload: a page for browsers, plain text for programs. Neither the request nor
 * the service is at fault, so they are answers rather than errors, and not in the error log.
 */
import { page, type Request, type Response, text } from 'seeother';
import { errorPage } from './error-page.ts';
import { acceptsHtml } from './failures.ts';
import type { Viewer } from './layout.ts';

const REQUESTS = 'This site is receiving too many requests right now.';
const FORMS = `${REQUESTS} Go back to the form, where everything is as you typed it, and send it again.`;
const SEARCHES = 'Too many people are searching right now.';
/** Seconds. */
const RETRY_AFTER = '5';

/** For a shed request; created once, because under overload it is sent thousands of times. */
export function createBusyAnswer(): (request: Request) => Response {
  const plain = retryLater(text(`${REQUESTS}\n`, 503));
  const [list, form] = [busyPage(REQUESTS, false), busyPage(FORMS, true)];
  return ({ method, headers }) => {
    if (method === 'POST') return form;
    return acceptsHtml(headers['accept']) ? list : plain;
  };
}

/** For a search that would have to wait too long. */
export function refuseSearch({ headers }: Request, viewer: Viewer): Response {
  if (!acceptsHtml(headers['accept'])) return retryLater(text(`${SEARCHES}\n`, 503));
  return busyPage(SEARCHES, false, viewer);
}

function busyPage(message: string, isForm: boolean, viewer: Viewer = null): Response {
  const view = { status: 503, message, mayBeSaved: false, id: null, isForm, typed: [] };
  return retryLater(page(errorPage({ ...view, viewer, logIn: null }), 503));
}

function retryLater(response: Response): Response {
  return {
    ...response,
    headers: Object.freeze({ ...response.headers, 'Retry-After': RETRY_AFTER }),
  };
}
