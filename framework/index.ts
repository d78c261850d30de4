/** Sites, forms, the router, requests and responses. The parts of a site's chain are in `seeother/middleware`. */

export type { Context, Handler, Middleware } from './src/chain/context.ts';
export { normalizeText } from './src/field/normalize-text.ts';
export type { BoundPart } from './src/form/bound-part.ts';
export { parseDraft, readDraft, serializeDraft } from './src/form/carry-draft.ts';
export { cutText } from './src/form/cut-text.ts';
export {
  type AnyFilledForm,
  blankForm,
  defineForm,
  type FilledForm,
  type Form,
  type FormError,
} from './src/form/define-form.ts';
export type { Fields, FormValues } from './src/form/field-set.ts';
export { formLink } from './src/form/form-link.ts';
export { errorSummary, formField, formTag, formTitle, onceField } from './src/form/form-markup.ts';
export { formOfRequest } from './src/form/form-of.ts';
export {
  describeValues,
  fromColumns,
  type RecordValues,
  textsOf,
  toColumns,
} from './src/form/form-record.ts';
export { againForm, readAgain } from './src/form/read-again.ts';
export { readEntries, readForm } from './src/form/read-form.ts';
export { readTyped, type TypedText } from './src/form/read-typed.ts';
export { withFields } from './src/form/run-time-fields.ts';
export { valuesOf } from './src/form/validate-form.ts';
export { acceptsHtml } from './src/http/accepts-html.ts';
export { readBody } from './src/http/body.ts';
export { toNetworks } from './src/http/client-network.ts';
export { readCookie, serializeCookie } from './src/http/cookie.ts';
export { csv, unescapeFormula } from './src/http/csv.ts';
export { download } from './src/http/download.ts';
export { externalUrl, type Href, localPath } from './src/http/href.ts';
export { type Html, html, trustedHtml } from './src/http/html.ts';
export { HttpError } from './src/http/http-error.ts';
export { json } from './src/http/json.ts';
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
export { defineList } from './src/lists/define-list.ts';
export { listPage } from './src/lists/list-page.ts';
export { listTable } from './src/lists/list-table.ts';
export { pageLinks } from './src/lists/page-links.ts';
export { paginate } from './src/lists/paginate.ts';
export { readList } from './src/lists/read-list.ts';
export { acceptCrossOrigin } from './src/middleware/accept-cross-origin.ts';
export { answerNotModified, type Versioned } from './src/middleware/answer-not-modified.ts';
export { compressPages } from './src/middleware/compress-pages.ts';
export { orJson } from './src/middleware/or-json.ts';
export { readJson } from './src/middleware/read-json.ts';
export { readSigned } from './src/middleware/read-signed.ts';
export { loadFiles } from './src/middleware/serve-files.ts';
export { explain } from './src/router/explain.ts';
export { createLinks, type RouteNames } from './src/router/links.ts';
export type { ParamsOf } from './src/router/path-params.ts';
export type { Route } from './src/router/route.ts';
export { createRouter, type Router } from './src/router/router.ts';
export { readHostCookie, withHostCookie } from './src/session/host-cookie.ts';
export {
  createRequireSession,
  refuseWithoutSession,
  requireSession,
} from './src/session/require-session.ts';
export {
  type Draft,
  type FlashAction,
  type LoggedIn,
  type Session,
  type SessionContext,
  type SessionUser,
  sessionOf,
} from './src/session/session.ts';
export {
  addFlash,
  dropDraft,
  endSession,
  renewSession,
  startSession,
  withFlash,
} from './src/session/session-change.ts';
export { createToken, isToken, toTokenKey } from './src/session/token.ts';
export { createSite, type SiteContext, type SiteOptions } from './src/site/create-site.ts';
export { createFormHandlers } from './src/site/form-handlers.ts';
export { formPage } from './src/site/form-page.ts';
export { jsonOnce } from './src/site/json-once.ts';
export { returnPath } from './src/site/park-draft.ts';
export { createMemoryStores } from './src/site/stores.ts';
