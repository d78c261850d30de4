/** Progress on standard error: a line that overwrites itself in a terminal, elsewhere a line now and then. */

/** Milliseconds between two lines that do not overwrite each other. */
const PAUSE = 5_000;
const WIDTH = 30;
let last = performance.now();

export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
  else if (performance.now() - last > PAUSE) {
    last = performance.now();
    process.stderr.write(`${text}\n`);
  }
}

export function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
}

/** With a bar, in a terminal. */
export function describeProgress(done: number, all: number): string {
  const words = `${done} of ${all} rows`;
  if (!process.stderr.isTTY || all === 0) return words;
  const full = Math.floor((done / all) * WIDTH);
  return `[${'#'.repeat(full)}${' '.repeat(WIDTH - full)}] ${words}`;
}
