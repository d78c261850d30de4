/** The framework's public entries, for the two routes; the application is `application/main.ts`. */
import { createRouter, type Middleware, text } from 'seeother';
import { catchErrors, logRequests, refuseCrossOrigin, secureHeaders } from 'seeother/middleware';
import { createLineWriter, serve } from 'seeother/node';
import { host, kind, port } from './settings.ts';

const passOn: Middleware = (context, next) => next(context);

const log = createLineWriter(1);
const errors = createLineWriter(2);
const base = createRouter();
const router =
  kind === 'route'
    ? base.use(passOn).use(passOn)
    : base
        .use(logRequests({ write: log.write }))
        .use(secureHeaders())
        .use(
          catchErrors({
            page: ({ status }) => text('Something went wrong.\n', status),
            report: ({ error }) => errors.write(String(error)),
          }),
        )
        .use(refuseCrossOrigin());

await serve(
  router.get('/items/:number', ({ params }) => text(`Item ${params.number}`)),
  { host, port },
);
