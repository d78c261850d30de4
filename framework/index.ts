/** The framework: values, the router, the chain, forms and sessions. */

export type {
  AnyMiddleware,
  Context,
  Handler,
  Middleware,
  Next,
  Passed,
  RouteName,
} from './src/chain/context.ts';
export { CHAIN_ENTER, CHAIN_EXIT, type ElementEntry, type ElementExit } from './src/chain/trace.ts';
export {
  LONGEST_DRAFT,
  parseDraft,
  readDraft,
  restoreDraft,
  serializeDraft,
} from './src/form/carry-draft.ts';
export { type ChoiceOptions, choiceField } from './src/form/choice-field.ts';
export { cutText } from './src/form/cut-text.ts';
export {
  blankForm,
  defineForm,
  errorsOf,
  type Fields,
  type FilledForm,
  type Form,
  type FormError,
  type FormValues,
  type RefusedForm,
  type Validation,
  type ValidForm,
} from './src/form/define-form.ts';
export {
  type Choice,
  type Field,
  type Limits,
  normalizeText,
  type Parsed,
} from './src/form/field.ts';
export {
  checkboxField,
  hiddenField,
  listField,
  passwordField,
  textField,
  wholeNumberField,
} from './src/form/fields.ts';
export {
  type FormAction,
  type RefusedContext,
  refuse,
  type StatusOf,
  statusOf,
} from './src/form/form-action.ts';
export { errorSummary, formField, formTitle, onceField } from './src/form/form-markup.ts';
export { formOf, type RouteForm } from './src/form/form-of.ts';
export { createMemoryReceiptStore } from './src/form/memory-receipt-store.ts';
export {
  type CarriedOut,
  type Once,
  type OnceContext,
  onlyOnce,
  type SessionsInTransaction,
} from './src/form/only-once.ts';
export {
  DEFAULT_BODY_LIMIT,
  type FormContext,
  readEntries,
  readForm,
} from './src/form/read-form.ts';
export { readTyped, type TypedText } from './src/form/read-typed.ts';
export type { ReceiptKey, ReceiptStore } from './src/form/receipt-store.ts';
export { type SchemaOptions, schemaField } from './src/form/schema-field.ts';
export type { SchemaIssue, SchemaResult, StandardSchema } from './src/form/standard-schema.ts';
export { type Awaitable, andThen } from './src/http/awaitable.ts';
export { readBody } from './src/http/body.ts';
export { type CookieAttributes, readCookie, serializeCookie } from './src/http/cookie.ts';
export { type ExternalUrl, externalUrl, type Href, localPath } from './src/http/href.ts';
export { type Html, type HtmlValue, html, trustedHtml } from './src/http/html.ts';
export { type ErrorStatus, HttpError } from './src/http/http-error.ts';
export { toLocalPath } from './src/http/local-path.ts';
export {
  createRequest,
  isSafe,
  type Request,
  type RequestHeaders,
  type RequestState,
} from './src/http/request.ts';
export {
  empty,
  notFound,
  type PlainText,
  page,
  type Response,
  type ResponseHeaders,
  type SessionChange,
  seeOther,
  text,
  withCookie,
  withHeader,
  withSession,
} from './src/http/response.ts';
export { answerNotModified, type Versioned } from './src/middleware/answer-not-modified.ts';
export { catchErrors, type ErrorReport, type Failure } from './src/middleware/catch-errors.ts';
export { logRequests } from './src/middleware/log-requests.ts';
export { refuseCrossOrigin } from './src/middleware/refuse-cross-origin.ts';
export { refuseForeignHost } from './src/middleware/refuse-foreign-host.ts';
export { secureHeaders } from './src/middleware/secure-headers.ts';
export { loadFiles, type StaticFiles, serveFiles } from './src/middleware/serve-files.ts';
export { serverTiming } from './src/middleware/server-timing.ts';
export {
  type ElementExplanation,
  type Explainable,
  type Explanation,
  explain,
  type RouteExplanation,
} from './src/router/analysis/explain.ts';
export type { ShadowedRoutes } from './src/router/analysis/report-shadowed.ts';
export type { FormAnswer } from './src/router/chain-types.ts';
export { createLinks, type LinkQuery, type Links, type RouteNames } from './src/router/links.ts';
export type { ParamsOf } from './src/router/path-params.ts';
export type { Method, Route } from './src/router/route.ts';
export { createRouter, type Router, type RouterOptions } from './src/router/router.ts';
export type { Lifetime } from './src/session/lifetime.ts';
export { loadSession, type SessionOptions } from './src/session/load-session.ts';
export { createMemorySessionStore } from './src/session/memory-session-store.ts';
export {
  createRequireSession,
  LOG_IN_CHALLENGE,
  refuseWithoutSession,
  requireSession,
} from './src/session/require-session.ts';
export type {
  Draft,
  Flash,
  LoggedIn,
  Session,
  SessionContext,
  SessionUser,
} from './src/session/session.ts';
export {
  addFlash,
  dropDraft,
  endSession,
  keepDraft,
  renewSession,
  type StartOptions,
  setData,
  startSession,
  withFlash,
} from './src/session/session-change.ts';
export type { SessionStore } from './src/session/session-store.ts';
