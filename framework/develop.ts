/**
 * `node --import seeother/develop main.ts` runs the program, and starts it again when a file changes; a request waits
 * meanwhile. It listens on `HOST` and `PORT`, by default 127.0.0.1 and 8000, in place of the first `serve` of the
 * program.
 */
import { develop, isDeveloped } from './src/server/develop.ts';

if (!isDeveloped()) await develop(process.cwd(), process.env);
