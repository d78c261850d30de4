/**
 * Reads the Content-Type header (RFC 9110 section 8.3.1). Only this code decides whether a body is a
 * form or JSON. A body with a content coding is not read.
 */
import type { RequestHeaders } from './request.ts';

// Each character can match in one place only, so a header that does not match fails in linear time.
const FORM =
  /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*[^\s=;"]+=(?:"[^";]*"|[^\s";]*)[ \t]*)*$/i;
const JSON_TYPE = /^application\/(?:[a-z0-9!#$&^_.-]+\+)?json[ \t]*(?:;|$)/i;
const CHARSET = /;[ \t]*charset="?([^";]*)"?/i;

/** Whether the header declares a form in UTF-8, the only kind that is read. */
export function isFormType(contentType: string | undefined): boolean {
  return contentType !== undefined && FORM.test(contentType) && hasUtf8(contentType);
}

function hasUtf8(contentType: string): boolean {
  const charset = CHARSET.exec(contentType)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset.trim());
}

export function isForm(headers: RequestHeaders): boolean {
  return isFormType(headers['content-type']) && headers['content-encoding'] === undefined;
}

/** Whether the header declares JSON in UTF-8, or a format of it such as `application/ld+json`. */
export function isJsonType(contentType: string | undefined): boolean {
  return contentType !== undefined && JSON_TYPE.test(contentType) && hasUtf8(contentType);
}

/** Whether the body is a form that may have files. */
export function isMultipart(type: string | undefined): boolean {
  return type !== undefined && /^multipart\/form-data[ \t]*(?:;|$)/i.test(type);
}
