/**
 * Detects messages that node:http accepts but that must not be served: another program on the way could
 * parse them differently, and treat a part as another request (RFC 9112 section 11.2). The connection
 * is closed after the answer.
 */
import type { IncomingMessage } from 'node:http';
import type { Request } from '../http/request.ts';

export interface MessageFlaw {
  readonly status: 400 | 417 | 421 | 501 | 505;
  /** In a sentence, for the answer. */
  readonly reason: string;
}

export const OTHER_VERSION: MessageFlaw = {
  status: 505,
  reason: 'This server speaks HTTP/1.1 and HTTP/1.0.',
};

const HOST = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/** As node:http has it, which emits `checkExpectation` for every other value. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;

/** Null for almost every message. `scheme` is that of the request; a trusted proxy can declare it. */
export function findFlaw(message: IncomingMessage, scheme: Request['scheme']): MessageFlaw | null {
  const { headers, httpVersionMajor, httpVersionMinor, url = '' } = message;
  if (httpVersionMajor !== 1) return OTHER_VERSION;
  const { host } = headers;
  if (host === undefined ? httpVersionMinor > 0 : !HOST.test(host)) {
    return bad(
      host === undefined
        ? 'The request has no Host header.'
        : 'The Host header is not a valid host.',
    );
  }
  const twice = findTwice(message);
  if (twice !== null) return bad(`The ${twice} header is repeated.`);
  if (headers['content-length']?.startsWith('0') && headers['content-length'] !== '0') {
    return bad('The Content-Length header has leading zeros.');
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) return findCodingFlaw(coding, httpVersionMinor);
  if (headers.expect !== undefined && httpVersionMinor > 0 && !CONTINUE.test(headers.expect)) {
    return { status: 417, reason: 'Only the expectation 100-continue is supported.' };
  }
  return url.startsWith('/') ? null : findSchemeFlaw(url, scheme);
}

function bad(reason: string): MessageFlaw {
  return { status: 400, reason };
}

/** RFC 9112 section 3.2: exactly one Host line. Of two Content-Type lines, node:http drops one. */
function findTwice({ rawHeaders }: IncomingMessage): string | null {
  let hosts = 0;
  let types = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const { length } = rawHeaders[index] as string;
    if (length === 4 && isNamed(rawHeaders, index, 'host')) hosts++;
    else if (length === 12 && isNamed(rawHeaders, index, 'content-type')) types++;
  }
  if (hosts > 1) return 'Host';
  return types > 1 ? 'Content-Type' : null;
}

function isNamed(rawHeaders: readonly string[], index: number, name: string): boolean {
  return rawHeaders[index]?.toLowerCase() === name;
}

/** RFC 9112 section 6.1. A body that does not end with chunked has no detectable end. */
function findCodingFlaw(coding: string, httpVersionMinor: number): MessageFlaw | null {
  if (httpVersionMinor === 0) return bad('HTTP/1.0 has no Transfer-Encoding.');
  if (/^chunked$/i.test(coding)) return null;
  return /^(?:[a-z]+[ \t]*,[ \t]*)+chunked$/i.test(coding)
    ? { status: 501, reason: 'This server supports only the transfer coding chunked.' }
    : bad('The Transfer-Encoding header does not define where the body ends.');
}

/** RFC 9110 section 7.4: an address with another scheme may mean another site. */
function findSchemeFlaw(url: string, scheme: Request['scheme']): MessageFlaw | null {
  const named = /^(https?):/i.exec(url)?.[1];
  return named === undefined || named.toLowerCase() === scheme
    ? null
    : { status: 421, reason: `The address names ${named}, but the connection uses ${scheme}.` };
}
