/**
 * What a session store could not carry out, where the page can do without it: it would be no help to
 * answer 500 for it. It is said every time, since sessions that are never noted as seen end too soon.
 */
export function warnOfStore(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  process.emitWarning(
    `Cannot write to the session store: ${reason}. The page was answered without it; a message, a draft or the time of the visit is not stored.`,
  );
}
