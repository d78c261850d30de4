/** Why a server cannot listen, and what to do. */

/** `prefix` is that of the variables HOST and PORT. */
export function explainListen(error: NodeJS.ErrnoException, prefix = ''): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `another program is already listening there. Stop it, or set ${prefix}PORT to another number.`;
    case 'EACCES':
      return `this user is not allowed to listen on that port. Set ${prefix}PORT to a number above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `this machine does not have this address. Set ${prefix}HOST to one of its addresses, such as 127.0.0.1.`;
    default:
      return error.message;
  }
}
