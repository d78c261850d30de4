/**
 * The 503 answers under overload: a page for browsers, plain text for programs. Neither the request nor
 * the service is at fault, so they are answers rather than errors, and not in the error log.
 */
import { acceptsHtml, page, type Request, type Response, text } from 'seeother';
import type { Viewer } from '../site/layout.ts';
import { errorPage } from './error-page.ts';

const REQUESTS = 'This site is receiving too many requests right now.';
const FORMS = `${REQUESTS} Go back to the form, where everything is as you typed it, and send it again.`;
const SEARCHES = 'Too many people are searching right now.';
/** Seconds. */
const RETRY_AFTER = '5';

/** For a shed request; created once, because under overload it is sent thousands of times. */
export function createBusyAnswer(): (request: Request) => Response {
  const plain = retryLater(text(`${REQUESTS}\n`, 503));
  const [list, form] = [busyPage(REQUESTS, false), busyPage(FORMS, true)];
  return (request) => {
    if (request.method === 'POST') return form;
    return acceptsHtml(request) ? list : plain;
  };
}

/** For a search that would have to wait too long. */
export function refuseSearch(request: Request, viewer: Viewer): Response<503> {
  if (!acceptsHtml(request)) return retryLater(text(`${SEARCHES}\n`, 503));
  return busyPage(SEARCHES, false, viewer);
}

function busyPage(message: string, isForm: boolean, viewer: Viewer = null): Response<503> {
  const title = 'We can’t do that right now';
  const outcome = 'Nothing was saved or changed.';
  const words = { title, message, outcome, reason: null };
  const answers = { typed: [], logIn: null, keepsDraft: false, again: null };
  const view = { status: 503, ...words, id: null, isForm, ...answers };
  return retryLater(page(errorPage({ ...view, viewer }), 503));
}

function retryLater(response: Response<503>): Response<503> {
  return {
    ...response,
    headers: Object.freeze({ ...response.headers, 'Retry-After': RETRY_AFTER }),
  };
}
