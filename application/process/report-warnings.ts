/**
 * What the process is warned of, by the framework or by Node, is a line of JSON like every error.
 * The listener that Node comes with would write text in its own form.
 */
import type { LineWriter } from 'seeother/node';
import { toErrorLine } from './error-line.ts';

export function reportWarnings(errors: LineWriter): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    errors.write(toErrorLine({ message: warning.message, error: warning }));
  });
}
