/** Detects that the process has no file descriptors left, which SQLite reports as another error. */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

const WORDS =
  'this process cannot open more files and connections. Raise its limit: LimitNOFILE in the systemd unit, or "ulimit -n".';

/** What to do about an error whose code says that no more files can be opened. */
export const OUT_OF_DESCRIPTORS: { readonly EMFILE: string; readonly ENFILE: string } = {
  EMFILE: WORDS,
  ENFILE: WORDS,
};
/** Descriptors that a database needs. A library that has failed may have closed some again. */
const NEEDED = 16;

export function hasDescriptorsLeft(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < NEEDED) opened.push(openSync(devNull, 'r'));
    return true;
  } catch {
    return false;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
