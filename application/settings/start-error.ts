/** A reason why the application cannot start: one line for the administrator, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
