/** Ends each process that makes pictures from outside, as soon as it is asked for one. */
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { TestContext } from 'node:test';

const CREATED = 'child_process';

/** Until the function that it returns is called, or the test ends. */
export function endPictureProcesses(t: TestContext, signal: NodeJS.Signals): () => void {
  const end = (message: unknown) => {
    const { process: child } = message as { readonly process: ChildProcess };
    // It has loaded its libraries, and gets its file now.
    child.once('message', () => child.kill(signal));
  };
  const stop = () => void unsubscribe(CREATED, end);
  subscribe(CREATED, end);
  t.after(stop);
  return stop;
}
