/** Detects exhausted file descriptors. */

export const OUT_OF_DESCRIPTORS =
  'this process cannot open more files and connections. Raise its limit: LimitNOFILE in the systemd unit, or "ulimit -n".';

export function isOutOfDescriptors(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return code === 'EMFILE' || code === 'ENFILE';
}
