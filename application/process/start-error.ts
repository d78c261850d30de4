/** Why the application cannot start: one line for the person who started it, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
