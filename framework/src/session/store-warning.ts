/**
 * What a session store could not carry out, where the page can do without it: it would be no help to
 * answer 500 for it. It is said every time, since sessions that are never noted as seen end too soon.
 * The warning of the process has the store's error as its cause.
 */
export function warnOfStore(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  const warning = new Error(
    `Cannot write to the session store: ${reason}. The page was answered without it; a message, a draft, the time of the visit or the end of a session is not stored.`,
    { cause: error },
  );
  warning.name = 'Warning';
  process.emitWarning(warning);
}
