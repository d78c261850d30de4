/** Detects exhausted file descriptors, which libraries report as other errors. */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

export const OUT_OF_DESCRIPTORS =
  'this process cannot open more files and connections. Raise its limit: LimitNOFILE in the systemd unit, or "ulimit -n".';
/** A failed library may have closed its files, so this tests whether enough are free for a database. */
const NEEDED = 16;

export function isOutOfDescriptors(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return code === 'EMFILE' || code === 'ENFILE';
}

export function hasDescriptorsLeft(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < NEEDED) opened.push(openSync(devNull, 'r'));
    return true;
  } catch (error) {
    return !isOutOfDescriptors(error);
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
