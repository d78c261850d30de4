/**
 * Spans of OpenTelemetry. A request is a span while it runs. All others are made when they have ended, with the time at
 * which they began: their parent is the span of the async context that waited for them. A group commit is in the trace
 * of the write that began it.
 *
 * Names and attributes are those of the semantic conventions for HTTP and databases.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { Context } from '../chain/context.ts';
import { CHAIN_EXIT, type ElementExit, traceIdSlot } from '../chain/trace.ts';
import { onEvent } from '../events/events.ts';

/** What is used of the module `@opentelemetry/api`. Declared without it, because it need not be installed. */
export interface OpenTelemetry {
  readonly trace: {
    getTracerProvider(): object;
    getTracer(name: string): Tracer;
    getActiveSpan(): Span | undefined;
    setSpan(context: object, span: Span): object;
  };
  readonly context: {
    active(): object;
    with<T>(context: object, work: () => T): T;
  };
  readonly propagation: {
    extract(context: object, carrier: object): object;
  };
}

type Attributes = Readonly<Record<string, string | number>>;

interface SpanOptions {
  readonly kind?: number;
  /** Milliseconds, as of `performance.now`. */
  readonly startTime?: number;
  readonly attributes?: Attributes;
}

interface Tracer {
  startSpan(name: string, options: SpanOptions, context?: object): Span;
}

interface Span {
  spanContext(): { readonly traceId: string };
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { readonly code: number }): unknown;
  recordException(error: Error): unknown;
  end(time?: number): void;
}

export interface RequestSpan {
  /** Runs `work` with the span as the active one. */
  readonly run: <T>(work: () => T) => T;
  readonly end: (status: number, error: unknown) => void;
}

export interface Tracing {
  readonly startRequest: (context: Context) => RequestSpan;
}

/** Milliseconds that a middleware takes by itself. Most take microseconds, and would hide the others. */
const SLOW_MIDDLEWARE = 1;
/** Numbers of the module. */
const SPAN_KIND_SERVER = 1;
const STATUS_ERROR = 2;

let areEventsTraced = false;

/** Null while no SDK is registered. */
export function createTracing(openTelemetry: OpenTelemetry): Tracing | null {
  const { trace, context, propagation } = openTelemetry;
  // Its own provider, which passes everything on to that of an SDK.
  const provider = trace.getTracerProvider() as {
    readonly getDelegateTracer?: (name: string) => unknown;
  };
  if (
    provider.getDelegateTracer !== undefined &&
    provider.getDelegateTracer('seeother') === undefined
  )
    return null;
  const tracer = trace.getTracer('seeother');
  if (!areEventsTraced) traceEvents(tracer, openTelemetry);
  areEventsTraced = true;
  return {
    startRequest({ request, route }) {
      const { method, headers, path, scheme } = request;
      const parent = propagation.extract(context.active(), headers);
      const name =
        route === null ? toKnownMethod(method) : `${toKnownMethod(method)} ${route.pattern}`;
      const attributes = {
        'http.request.method': toKnownMethod(method),
        'url.path': path,
        'url.scheme': scheme,
        ...(route === null ? {} : { 'http.route': route.pattern }),
      };
      const startTime = performance.now();
      const span = tracer.startSpan(
        name,
        { kind: SPAN_KIND_SERVER, startTime, attributes },
        parent,
      );
      traceIdSlot.set(request, span.spanContext().traceId);
      return {
        run: (work) => context.with(trace.setSpan(parent, span), work),
        end(status, error) {
          span.setAttribute('http.response.status_code', status);
          if (status >= 500) span.setStatus({ code: STATUS_ERROR });
          if (error instanceof Error && status >= 500) span.recordException(error);
          span.end();
        },
      };
    },
  };
}

/** For all sites of the process. */
function traceEvents(tracer: Tracer, { trace }: OpenTelemetry): void {
  const add = (name: string, time: number, attributes: Attributes = {}, hasFailed = false) => {
    const end = performance.now();
    const span = tracer.startSpan(name, { startTime: end - time, attributes });
    if (hasFailed) span.setStatus({ code: STATUS_ERROR });
    span.end(end);
  };
  /** Outside of a request, reads of the service itself would each be a trace. */
  const addInside = (...span: Parameters<typeof add>) => {
    if (trace.getActiveSpan() !== undefined) add(...span);
  };
  subscribe(CHAIN_EXIT, (message) => {
    const { name, time, ownTime } = message as ElementExit;
    if (ownTime >= SLOW_MIDDLEWARE)
      addInside(name || 'nameless', time, { 'seeother.own_time_ms': ownTime });
  });
  onEvent('query', ({ kind, sql, time, hasFailed }) =>
    addInside(kind, time, sql === null ? {} : { 'db.query.text': sql }, hasFailed),
  );
  onEvent('commit', ({ writes, time }) =>
    addInside('group commit', time, { 'seeother.writes': writes }),
  );
  onEvent('sync', ({ time }) => addInside('sync', time));
  onEvent('work', ({ name, time, hasFailed }) => addInside(name, time, {}, hasFailed));
  onEvent('job', ({ name, time, hasFailed }) => add(`job ${name}`, time, {}, hasFailed));
}

/** A method of a client is text of a client: the conventions demand one of a list. */
function toKnownMethod(method: string): string {
  return KNOWN_METHODS.has(method) ? method : '_OTHER';
}

const KNOWN_METHODS = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'PATCH',
  'CONNECT',
  'TRACE',
]);
