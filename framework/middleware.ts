/**
 * The parts of the chain that `createSite` makes, for a chain of your own, and the limits on requests. Their order
 * matters: see the guide on middleware. Other middleware for single routes, such as `requireSession`, is in `seeother`.
 */

export { answerUnavailable } from './src/database/answer-unavailable.ts';
export { type Awaitable, andThen } from './src/http/awaitable.ts';
export { catchErrors } from './src/middleware/catch-errors.ts';
export type { SecurityPolicy } from './src/middleware/content-security-policy.ts';
export type { ErrorReport } from './src/middleware/error-report.ts';
export type { Failure } from './src/middleware/failure.ts';
export { limitRate } from './src/middleware/limit-rate.ts';
export { limitRequests } from './src/middleware/limit-requests.ts';
export { logRequests } from './src/middleware/log-requests.ts';
export { createQueue, type Enqueue, QueueFull } from './src/middleware/queue.ts';
export { refuseCrossOrigin } from './src/middleware/refuse-cross-origin.ts';
export { refuseForeignHost } from './src/middleware/refuse-foreign-host.ts';
export { htmxPolicy, turboPolicy } from './src/middleware/script-policies.ts';
export { type NonceContext, secureHeaders } from './src/middleware/secure-headers.ts';
export { type StaticFiles, serveFiles } from './src/middleware/serve-files.ts';
export { serverTiming } from './src/middleware/server-timing.ts';
export { whenAnswered } from './src/middleware/when-answered.ts';
export { onlyOnce } from './src/once/only-once.ts';
export { loadSession } from './src/session/load-session.ts';
