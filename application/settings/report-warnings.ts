/**
 * Writes process warnings, from the framework or from Node, as JSON lines like errors. Node's own
 * listener would write them as text.
 */
import type { LineWriter } from 'seeother/node';
import { toErrorLine } from './error-line.ts';

export function reportWarnings(errors: LineWriter): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    errors.write(toErrorLine({ message: warning.message, error: warning }));
  });
}
