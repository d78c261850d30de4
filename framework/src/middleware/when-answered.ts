/** For middleware that looks at each answer and changes none: the log and the observation. */
import type { Passed } from '../chain/context.ts';
import type { Awaitable } from '../http/awaitable.ts';
import { HttpError } from '../http/http-error.ts';

/**
 * Calls `done` with the status of the answer. The server answers an error that no middleware has caught: its status
 * counts, and the error is passed on.
 */
export function whenAnswered(
  next: () => Awaitable<Passed>,
  done: (status: number, error?: unknown) => void,
): Awaitable<Passed> {
  const finish = (response: Passed) => {
    done(response.status);
    return response;
  };
  const fail = (error: unknown): never => {
    done(error instanceof HttpError ? error.status : 500, error);
    throw error;
  };
  try {
    const answer = next();
    return answer instanceof Promise ? answer.then(finish, fail) : finish(answer);
  } catch (error) {
    return fail(error);
  }
}
