/**
 * The key of the form that a request has brought, for what stands outside the chain that reads it:
 * `loadSession` tells by it whether the form that was carried out is the one that it keeps a draft of.
 */
import type { Request } from '../http/request.ts';

const keys = new WeakMap<Request, string | null>();

/** `key` is null for a form that came without. */
export function rememberKey(request: Request, key: string | null): void {
  keys.set(request, key);
}

/** Null also when no form has been read. */
export function sentKeyOf(request: Request): string | null {
  return keys.get(request) ?? null;
}
