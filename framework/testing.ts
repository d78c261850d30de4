/**
 * Testing without a socket: make a request, keep cookies, follow redirects, hold a session store
 * against its contract. And with one, byte for byte.
 */

export { describeValueStore } from './src/form/value-store.contract.ts';
export { describeReceiptStore } from './src/once/receipt-store.contract.ts';
export { describeSessionStore } from './src/session/session-store.contract.ts';
export {
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
  type WrongAnswer,
} from './src/testing/authenticator.ts';
export { type Cost, type CountOptions, countCost } from './src/testing/count-cost.ts';
export { lintResponses } from './src/testing/lint-responses.ts';
export {
  encodeFields,
  get,
  type PostBody,
  post,
  type RequestInit,
  request,
  type TypedFields,
} from './src/testing/make-request.ts';
export { connectRaw, exchange, type RawAnswer, readAnswers } from './src/testing/raw-connection.ts';
export {
  bodyText,
  createVisitor,
  type FieldsWithFiles,
  hiddenFields,
  type Visitor,
} from './src/testing/visitor.ts';
export { describeFileStore } from './src/upload/file-store.contract.ts';
