/**
 * The framework's public entries, for the two routes; the application is `application/main.ts`. With OBSERVE, the
 * routes are observed as in the application, by OpenTelemetry's API without an SDK.
 */
import * as openTelemetry from '@opentelemetry/api';
import { createRouter, type Middleware, text } from 'seeother';
import { catchErrors, logRequests, refuseCrossOrigin, secureHeaders } from 'seeother/middleware';
import { createLineWriter, serve } from 'seeother/node';
import { observe } from 'seeother/observe';
import { host, kind, port } from './settings.ts';

const passOn: Middleware = (context, next) => next(context);

const log = createLineWriter(1);
const errors = createLineWriter(2);
const base =
  process.env['OBSERVE'] === undefined
    ? createRouter()
    : createRouter().use(observe(openTelemetry));
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
