/**
 * Warns of a failed write to the session store where the page can be sent without it. A 500 would
 * not help the user. It warns every time, because sessions whose `seenAt` is not written end too
 * early. The `cause` of the process warning is the error of the store.
 */
export function warnOfStore(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  const warning = new Error(
    `Cannot write to the session store: ${reason}. The response was sent without it: a message, a draft, the time of the visit or the end of a session is not stored.`,
    { cause: error },
  );
  warning.name = 'Warning';
  process.emitWarning(warning);
}
