/**
 * Testing without a socket: make a request, keep cookies, follow redirects, hold a session store
 * against its contract.
 */
export { describeSessionStore } from './src/session/session-store.contract.ts';
export { lintResponses } from './src/testing/lint-responses.ts';
export {
  encodeFields,
  get,
  post,
  type RequestInit,
  request,
  type TypedFields,
} from './src/testing/make-request.ts';
export { bodyText, createVisitor, hiddenFields, type Visitor } from './src/testing/visitor.ts';
