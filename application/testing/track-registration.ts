/**
 * Node's test runner tracks every promise and timer by a hook of `node:async_hooks`: to find the group of a test that
 * is registered after an `await`, and to name the test behind an error that no test waits for. This takes a fifth of
 * the CPU of a process with many tests. So in such a process the hook works until all tests are registered. After that,
 * such an error still fails the run, and is printed without the name of the test: `npx node --test <file>` names it.
 *
 * It must be imported before any module that registers something: only the first hook of a process is the runner's.
 */
import { type AsyncHook, createHook } from 'node:async_hooks';

const hooks: AsyncHook = Object.getPrototypeOf(createHook({}));
const { enable } = hooks;
let ofRunner: AsyncHook | undefined;

hooks.enable = function track(this: AsyncHook) {
  hooks.enable = enable;
  ofRunner = this;
  return enable.call(this);
};

/** To be called once all tests of the process are registered. */
export function stopTracking(): void {
  ofRunner?.disable();
}
