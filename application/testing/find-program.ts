/**
 * The files that tests start as processes of their own. `npm test` builds the bundle first and names its folder in
 * TEST_BUNDLE, because a program of the bundle starts in a third of the time. Without it, the source is started.
 */
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const BUNDLE = process.env['TEST_BUNDLE'];

/** What Node is told to run, as `npm start` does. `root` is the folder of another version. */
export const fromSource = (root = ROOT): readonly string[] => [
  '--require',
  join(root, 'scripts/require-node.cjs'),
  join(root, 'application/main.ts'),
];

export const FROM_SOURCE = fromSource();

export const APPLICATION: readonly string[] =
  BUNDLE === undefined ? FROM_SOURCE : [join(ROOT, BUNDLE, 'main.js')];

/** The program of a command, such as `account`. */
export function findCommand(name: string): string {
  return BUNDLE === undefined
    ? join(ROOT, 'scripts', `${name}.ts`)
    : join(ROOT, BUNDLE, `${name}.js`);
}
