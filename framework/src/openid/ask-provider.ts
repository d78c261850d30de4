/**
 * Requests to a provider, and what their failures mean. The library's own timeout would be 30 seconds, and it reads
 * answers of any length; a page waits for these requests.
 */
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import type { Away, Refused } from './provider.ts';

/** Milliseconds for each request, its body included. */
export const TIMEOUT = 5_000;
/** Bytes of an answer. The discovery document and keys of large providers have below 20,000. */
const ANSWER_LIMIT = 500_000;

/** The provider cannot be asked. */
class Unreachable extends Error {}

/** A `fetch` that fails after a timeout, for a server error and for an answer without end. */
export function createFetch(
  allowsHttp: boolean,
  timeout: number,
): (url: string, options: object) => Promise<Response> {
  return async (url, options) => {
    if (!allowsHttp && !url.startsWith('https://')) {
      throw new Unreachable(`${url} is no https address`);
    }
    try {
      const response = await fetch(url, {
        ...options,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      });
      if (response.status >= 500 || response.status === 429) {
        throw new Error(`it answered ${response.status}`);
      }
      const { status, headers } = response;
      return new Response(await readBody(response), { status, headers });
    } catch (error) {
      throw new Unreachable(`Cannot reach ${new URL(url).origin}: ${describe(error)}`);
    }
  };
}

async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (response.body === null) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    length += chunk.length;
    if (length > ANSWER_LIMIT) throw new Error(`its answer has more than ${ANSWER_LIMIT} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The person, or the provider on their behalf, said no (RFC 6749, 4.1.2.1; OpenID Connect Core, 3.1.2.6). */
const DENIALS = [
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
];

/** Of the library's errors, these are the provider's: it answered with something else than the protocol. */
const NOT_OF_PROTOCOL = ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'];

/** What an error means for the person who signs in. */
export function toOutcome(error: unknown): Refused | Away {
  const detail = describe(error);
  if (error instanceof AuthorizationResponseError) {
    return DENIALS.includes(error.error) ? refuse('denied', detail) : { kind: 'away', detail };
  }
  if (error instanceof ResponseBodyError) {
    return error.error === 'invalid_grant' ? refuse('expired', detail) : { kind: 'away', detail };
  }
  const isAway =
    causes(error).some((cause) => cause instanceof Unreachable) ||
    (error instanceof ClientError && NOT_OF_PROTOCOL.includes(error.code ?? '')) ||
    (error instanceof Error && error.name === 'WWWAuthenticateChallengeError');
  return isAway ? { kind: 'away', detail } : refuse('invalid', detail);
}

export function refuse(reason: Refused['reason'], detail: string): Refused {
  return { kind: 'refused', reason, detail };
}

function causes(error: unknown): readonly unknown[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [];
}

/** The messages of an error and its causes, and the provider's code and words. They contain no secret. */
export function describe(error: unknown): string {
  const parts = causes(error).map((cause) => (cause as Error).message);
  const { error: code, error_description: words } = (error ?? {}) as Record<string, unknown>;
  const text = [...parts, code, words].filter((part) => typeof part === 'string' && part !== '');
  return [...new Set(text)].join(': ').replaceAll(/\p{C}/gu, ' ').slice(0, 500);
}
