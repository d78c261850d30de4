/**
 * node:http by hand, as commonly written: `writeHead` with an object, `end` with a string. It is the
 * baseline of every row. `raw-items.ts` has what a framework would provide, also by hand.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createItemsHandler } from './raw-items.ts';
import { host, isCrossOrigin, KEEP_ALIVE, kind, port } from './settings.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'; form-action 'self'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

const answers: Record<typeof kind, () => Answer> = {
  route: () => answerRoute,
  guarded: () => guarded(answerRoute),
  items: () => guarded(createItemsHandler()),
};

const server = createServer(answers[kind]());
server.keepAliveTimeout = KEEP_ALIVE;
server.listen(port, host);

function answerRoute(request: IncomingMessage, response: ServerResponse): void {
  const match = /^\/items\/([^/?]+)$/.exec(request.url ?? '');
  if (match === null) {
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end('Not found\n');
    return;
  }
  const body = `Item ${decodeURIComponent(match[1] ?? '')}`;
  response.writeHead(200, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** Log, errors, security headers and a cross-origin check around an answer. */
function guarded(answer: Answer): Answer {
  return async (request, response) => {
    const { method = 'GET', url } = request;
    response.on('finish', () => {
      process.stdout.write(
        `[${new Date().toISOString()}] [${method}] ${url} ${response.statusCode}\n`,
      );
    });
    try {
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
      if (isCrossOrigin(method, (name) => request.headers[name] as string | undefined)) {
        response.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8' });
        response.end('This form came from another site.\n');
        return;
      }
      await answer(request, response);
    } catch (error) {
      process.stderr.write(`${error}\n`);
      if (response.headersSent) return void response.destroy();
      response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' });
      response.end('Something went wrong.\n');
    }
  };
}
