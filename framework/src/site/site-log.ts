/** Where a site writes its requests unless it is told otherwise: standard output, which never blocks. */
import { createLineWriter, type LineWriter } from '../server/line-writer.ts';

let requests: LineWriter | null = null;

export function writeRequest(line: string): void {
  requests ??= createLineWriter(1);
  requests.write(line);
}
