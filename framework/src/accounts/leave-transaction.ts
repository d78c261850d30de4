/**
 * Leaves a transaction with a result, and none of its writes: a token that it has taken stays usable, and no receipt of
 * the form is stored. A result that is returned would commit them.
 */
/** Makes the error to throw. */
export type Leave<Result> = (result: Result) => Error;

/** `throw leave(result)` in the transaction, which `run` begins: it resolves to the result. */
export async function unlessLeft<Done, Result>(
  run: (leave: Leave<Result>) => Promise<Done>,
): Promise<Done | Result> {
  // The work may run again: the last one counts.
  let left: { readonly error: Error; readonly result: Result } | null = null;
  const leave: Leave<Result> = (result) => {
    const error = new Error('The transaction was left, and nothing of it was written.');
    left = { error, result };
    return error;
  };
  try {
    return await run(leave);
  } catch (error) {
    const last = left as { readonly error: Error; readonly result: Result } | null;
    if (last !== null && error === last.error) return last.result;
    throw error;
  }
}
