/** Whether the host name or address, an IPv6 one with or without brackets, is that of this machine alone. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127\.[\d.]+|::1|\[::1\])$/.test(host);
}
