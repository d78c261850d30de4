/**
 * The middleware around all others that publishes each request as an event and, with OpenTelemetry, makes a trace of
 * it. Whether there is something to trace for is decided when the site is made: an SDK has to be registered before, as
 * `node --import` does. Without one, nothing of the chain is measured.
 */
import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { createPublisher } from '../events/events.ts';
import { whenAnswered } from '../middleware/when-answered.ts';
import { createTracing, type OpenTelemetry } from './tracing.ts';

const requests = createPublisher('request');

/**
 * Put it into `around` of `createSite`. Pass the module `@opentelemetry/api` for traces: `observe(openTelemetry)`. A
 * request is a span that continues the trace of its `traceparent`; in it are spans of the reads, writes and measured
 * works, and of each middleware and handler that takes a millisecond or more by itself.
 */
export function observe(openTelemetry?: OpenTelemetry): Middleware {
  const tracing = openTelemetry === undefined ? null : createTracing(openTelemetry);
  return describeMiddleware(
    function observe(context, next) {
      if (tracing === null && !requests.isHeard) return next(context);
      const { request, route } = context;
      const start = performance.now();
      const span = tracing?.startRequest(context);
      const answer = () =>
        whenAnswered(
          () => next(context),
          (status, error) => {
            const time = performance.now() - start;
            requests.publish({
              method: request.method,
              pattern: route?.pattern ?? null,
              status,
              time,
            });
            span?.end(status, error);
          },
        );
      return span === undefined ? answer() : span.run(answer);
    },
    { needs: [], adds: [] },
  );
}
