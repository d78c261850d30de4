/**
 * Pages for the developer instead of those for users: an unexpected error shows its stack, the source
 * around it and the chain with the place where it broke; an unknown address shows every route and why it
 * does not match. They reveal the code and the request, so they are never for production.
 */
import { subscribe } from 'node:diagnostics_channel';
import { CHAIN_EXIT, type ElementExit } from '../chain/trace.ts';
import { namesHtml } from '../http/accepts-html.ts';
import type { Awaitable } from '../http/awaitable.ts';
import { type Html, html, trustedHtml } from '../http/html.ts';
import { errorSlot, HttpError } from '../http/http-error.ts';
import type { Request } from '../http/request.ts';
import { page, type Response } from '../http/response.ts';
import { type Explainable, type Explanation, explain } from '../router/explain.ts';
import type { Application } from './application.ts';
import { type Excerpt, excerptOf } from './source-excerpt.ts';

/** Values of these headers log somebody in. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(['cookie', 'authorization']);

const STYLE = trustedHtml(`:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
h1 { font-size: 1.4rem; overflow-wrap: anywhere }
pre { background: color-mix(in srgb, currentColor 7%, transparent); overflow-x: auto; padding: 0.75rem }
mark { background: #b3261e; color: #fff }
td, th { padding: 0.1rem 1rem 0.1rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere }`);

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function isExplainable(
  application: Application & Partial<Explainable>,
): application is Application & Explainable {
  const { routes, patterns, middleware } = application;
  return routes !== undefined && patterns !== undefined && middleware !== undefined;
}

/** The application with these pages. `report` gets an error that no middleware caught. */
export function withDevelopmentPages(
  application: Application & Explainable,
  report: (error: unknown) => void,
): Application {
  const exits = new WeakMap<Request, ElementExit[]>();
  subscribe(CHAIN_EXIT, (message) => {
    const exit = message as ElementExit;
    exits.get(exit.request)?.push(exit);
  });

  const showError = (request: Request, error: unknown, response: Response | null): Response => {
    const { chain } = explain(application, request.method, request.target);
    const shown = page(errorPage({ request, error, chain, exits: exits.get(request) ?? [] }), 500);
    const headers = { ...response?.headers, ...shown.headers, 'Content-Security-Policy': POLICY };
    return { ...shown, headers };
  };

  const replace = (request: Request, response: Response): Response => {
    const error = errorSlot.of(request);
    // A program gets what it would get in production.
    if (!namesHtml(request)) return response;
    if (error !== undefined && !(error instanceof HttpError))
      return showError(request, error, response);
    if (response.status !== 404) return response;
    const explanation = explain(application, request.method, request.target);
    if (explanation.winner !== null) return response;
    const { headers, ...answer } = page(unknownPage(explanation), 404);
    return {
      ...answer,
      headers: { ...response.headers, ...headers, 'Content-Security-Policy': POLICY },
    };
  };

  const fail = (request: Request, error: unknown): Response => {
    if (!namesHtml(request) || error instanceof HttpError) throw error;
    report(error);
    return showError(request, error, null);
  };

  return {
    prepare: () => application.prepare?.(),
    handle(request): Awaitable<Response> {
      exits.set(request, []);
      try {
        const answer = application.handle(request);
        if (!(answer instanceof Promise)) return replace(request, answer);
        return answer.then(
          (response) => replace(request, response),
          (error) => fail(request, error),
        );
      } catch (error) {
        return fail(request, error);
      }
    },
  };
}

interface Broken {
  readonly request: Request;
  readonly error: unknown;
  readonly chain: Explanation['chain'];
  readonly exits: readonly ElementExit[];
}

function errorPage({ request, error, chain, exits }: Broken): Html {
  const thrown = error instanceof Error ? error : new Error(String(error));
  const excerpt = excerptOf(thrown);
  // Errors travel outwards: the first that failed is where it broke.
  const broke = exits.find(({ hasFailed }) => hasFailed)?.index;
  return frame(
    `${thrown.name}: ${thrown.message}`,
    html`${excerpt === null ? null : source(excerpt)}
<h2>Stack</h2>
<pre>${thrown.stack ?? String(thrown)}</pre>
${thrown.cause === undefined ? null : html`<h2>Cause</h2>\n<pre>${String(thrown.cause)}</pre>`}
<h2>Chain</h2>
<table>
<tr><th>Element</th><th>Own time</th><th></th></tr>
${chain.map(({ name, of }, index) => {
  const exit = exits.find((one) => one.index === index);
  return html`<tr><td>${index === broke ? html`<mark>${nameOf(name)}</mark>` : nameOf(name)}</td><td>${exit === undefined ? 'did not run' : `${exit.ownTime.toFixed(2)} ms`}</td><td>${index === broke ? 'it broke here' : of}</td></tr>\n`;
})}</table>
<h2>Request</h2>
<pre>${request.method} ${request.target}\n${Object.entries(request.headers).map(
      ([name, value]) => `${name}: ${SECRET_HEADERS.has(name) ? '(not shown)' : value}\n`,
    )}</pre>`,
  );
}

function source({ place, lines, broken }: Excerpt): Html {
  return html`<h2>${place}</h2>
<pre>${lines.map(({ number, text }) => {
    const line = `${String(number).padStart(5)}  ${text}`;
    return number === broken ? html`<mark>${line}</mark>\n` : `${line}\n`;
  })}</pre>`;
}

function unknownPage({ method, path, routes }: Explanation): Html {
  return frame(
    `No route for ${method} ${path}`,
    html`<p>The routes in their order, and why each does not match:</p>
<table>
<tr><th>Route</th><th>Reason</th><th>Registered at</th></tr>
${routes.map(
  (route) =>
    html`<tr><td>${route.method} ${route.pattern}</td><td>${route.reason}</td><td>${route.registeredAt}</td></tr>\n`,
)}</table>`,
  );
}

function frame(title: string, main: Html): Html {
  return html`${trustedHtml('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${main}
</main>
<footer><p>This page is shown in development only.</p></footer>
</body>
</html>
`;
}

function nameOf(name: string): string {
  return name === '' ? '(no name)' : name;
}
