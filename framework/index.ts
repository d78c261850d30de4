/** The framework: values, the router, the chain, forms and sessions. */

export type { Context, Handler, Middleware } from './src/chain/context.ts';
export { buttonField } from './src/form/button-field.ts';
export { parseDraft, readDraft, serializeDraft } from './src/form/carry-draft.ts';
export { choiceField } from './src/form/choice-field.ts';
export { cutText } from './src/form/cut-text.ts';
export {
  blankForm,
  defineForm,
  type FilledForm,
  type FormError,
  type FormValues,
} from './src/form/define-form.ts';
export { normalizeText } from './src/form/field.ts';
export {
  checkboxField,
  hiddenField,
  listField,
  passwordField,
  textField,
  wholeNumberField,
} from './src/form/fields.ts';
export { errorSummary, formField, formTitle, onceField } from './src/form/form-markup.ts';
export { formOfRequest } from './src/form/form-of.ts';
export { onlyOnce } from './src/form/only-once.ts';
export { readEntries, readForm } from './src/form/read-form.ts';
export { readTyped, type TypedText } from './src/form/read-typed.ts';
export type { ReceiptKey, ReceiptStore } from './src/form/receipt-store.ts';
export { schemaField } from './src/form/schema-field.ts';
export type { StandardSchema } from './src/form/standard-schema.ts';
export { acceptsHtml } from './src/http/accepts-html.ts';
export { andThen } from './src/http/awaitable.ts';
export { readBody } from './src/http/body.ts';
export { toNetworks } from './src/http/client-network.ts';
export { readCookie, serializeCookie } from './src/http/cookie.ts';
export { externalUrl, type Href, localPath } from './src/http/href.ts';
export { type Html, html, trustedHtml } from './src/http/html.ts';
export { HttpError } from './src/http/http-error.ts';
export { toLocalPath } from './src/http/local-path.ts';
export { createRequest, isSafe, type Request } from './src/http/request.ts';
export {
  empty,
  notFound,
  page,
  type Response,
  seeOther,
  text,
  withCookie,
  withHeader,
  withSession,
} from './src/http/response.ts';
export { answerNotModified, type Versioned } from './src/middleware/answer-not-modified.ts';
export { catchErrors } from './src/middleware/catch-errors.ts';
export { compressPages } from './src/middleware/compress-pages.ts';
export type { SecurityPolicy } from './src/middleware/content-security-policy.ts';
export type { ErrorReport } from './src/middleware/error-report.ts';
export type { Failure } from './src/middleware/failure.ts';
export { limitRequests } from './src/middleware/limit-requests.ts';
export { logRequests } from './src/middleware/log-requests.ts';
export { refuseCrossOrigin } from './src/middleware/refuse-cross-origin.ts';
export { refuseForeignHost } from './src/middleware/refuse-foreign-host.ts';
export { htmxPolicy, turboPolicy } from './src/middleware/script-policies.ts';
export { type NonceContext, secureHeaders } from './src/middleware/secure-headers.ts';
export { loadFiles, type StaticFiles, serveFiles } from './src/middleware/serve-files.ts';
export { serverTiming } from './src/middleware/server-timing.ts';
export { explain } from './src/router/explain.ts';
export { createLinks, type RouteNames } from './src/router/links.ts';
export type { Route } from './src/router/route.ts';
export { createRouter, type Router } from './src/router/router.ts';
export { loadSession } from './src/session/load-session.ts';
export {
  createRequireSession,
  refuseWithoutSession,
  requireSession,
} from './src/session/require-session.ts';
export type {
  Draft,
  FlashAction,
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
  setData,
  startSession,
  withFlash,
} from './src/session/session-change.ts';
export type { SessionStore } from './src/session/session-store.ts';
export { createSite, type SiteContext, type SiteOptions } from './src/site/create-site.ts';
export { createFormHandlers } from './src/site/form-handlers.ts';
export { formPage } from './src/site/form-page.ts';
export { createMemoryStores, type Stores } from './src/site/stores.ts';
